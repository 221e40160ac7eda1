import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `group` resource, and the directory roles that stand beside groups in memberships.
enum GroupResource {
  static let properties: PropertyNames = [
    "id", "deletedDateTime", "classification", "createdDateTime", "creationOptions", "description", "displayName",
    "expirationDateTime", "groupTypes", "isAssignableToRole", "mail", "mailEnabled", "mailNickname", "membershipRule",
    "onPremisesSyncEnabled", "preferredLanguage", "proxyAddresses", "renewedDateTime", "securityEnabled",
    "securityIdentifier", "theme", "visibility",
  ]

  /// - Parameter wholly: whether the caller may read groups; without, only the id is filled.
  static func json(_ group: Group, wholly: Bool) -> JSON {
    func known(_ value: JSON) -> JSON { wholly ? value : value.array == nil ? .null : [] }
    func text(_ value: String?) -> JSON { known(value.map { .string($0) } ?? .null) }
    return [
      "id": .string(group.id), "deletedDateTime": nil, "classification": nil, "createdDateTime": nil,
      "creationOptions": [], "description": text(group.description), "displayName": text(group.name),
      "expirationDateTime": nil, "groupTypes": known(group.mail == nil ? [] : ["Unified"]), "isAssignableToRole": nil,
      "mail": text(group.mail), "mailEnabled": known(.bool(group.mail != nil)),
      "mailNickname": text(group.name.filter { $0.isLetter || $0.isNumber }), "membershipRule": nil,
      "onPremisesSyncEnabled": nil, "preferredLanguage": nil,
      "proxyAddresses": known(.array(group.mail.map { ["SMTP:\($0)"] } ?? [])), "renewedDateTime": nil,
      "securityEnabled": known(.bool(group.mail == nil)), "securityIdentifier": nil, "theme": nil,
      "visibility": text(group.mail == nil ? nil : "Public"),
    ]
  }

  static func collection(_ items: [JSON], context: String = "groups") -> GraphCollection {
    GraphCollection(
      items: items, context: context, style: .directory, properties: properties, typeName: "microsoft.graph.group")
  }

  static func group(_ id: String, _ call: GraphCall, _ state: GraphState) throws(GraphFailure) -> Group {
    let wanted = id.lowercased()
    guard let group = state.tenants[call.caller.tenantID]?.groups.first(where: { $0.id.lowercased() == wanted }) else {
      throw .resourceNotFound(id)
    }
    return group
  }

  static func isMember(_ user: User, of group: Group) -> Bool {
    user.memberOf.contains { $0.lowercased() == group.name.lowercased() }
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Group.Read.All", "GroupMember.Read.All")

  static let groupRoutes: [GraphRoute] = [
    GraphRoute(.get, .root, "groups", .directory, needs: read, forApps: read, isForPersonal: false) {
      call, state throws(GraphFailure) in
      let groups = state.tenants[call.caller.tenantID]?.groups ?? []
      return try GroupResource.collection(groups.map { GroupResource.json($0, wholly: true) }).answer(call)
    },
    GraphRoute(.get, .root, "groups/delta", .directory, needs: read, forApps: read, isForPersonal: false) {
      call, state throws(GraphFailure) in
      let groups = (state.tenants[call.caller.tenantID]?.groups ?? []).map { GroupResource.json($0, wholly: true) }
      return try GraphDelta(items: groups, context: "groups").answer(call)
    },
    GraphRoute(.get, .root, "groups/{}", .directory, needs: read, forApps: read, isForPersonal: false) {
      call, state throws(GraphFailure) in
      let group = try GroupResource.group(call.parameters.first ?? "", call, state)
      return try GroupResource.collection([]).entity(GroupResource.json(group, wholly: true), call)
    },
    GraphRoute(.get, .root, "groups/{}/members", .directory, needs: read, forApps: read, isForPersonal: false) {
      call, state throws(GraphFailure) in
      let group = try GroupResource.group(call.parameters.first ?? "", call, state)
      let members = state.members(of: call.caller.tenantID).filter {
        !$0.isGuest && GroupResource.isMember($0.account.user, of: group)
      }
      return try DirectoryObjects.users(members, call).answer(call)
    },
  ]
}
