import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// Graph's `group` resource. Membership lists contain both groups and directory roles.
enum GroupResource {
  static let properties: PropertyNames = [
    "id", "deletedDateTime", "classification", "createdDateTime", "creationOptions", "description", "displayName",
    "expirationDateTime", "groupTypes", "isAssignableToRole", "mail", "mailEnabled", "mailNickname", "membershipRule",
    "onPremisesSyncEnabled", "preferredLanguage", "proxyAddresses", "renewedDateTime", "securityEnabled",
    "securityIdentifier", "theme", "visibility",
  ]

  /// - Parameter includesAll: Whether to include all properties. If it is false, all properties except the id are null
  ///   or empty, as for callers that cannot read groups.
  static func json(_ group: Group, includesAll: Bool) -> JSON {
    func valueIfReadable(_ value: JSON) -> JSON { includesAll ? value : value.array == nil ? .null : [] }
    func text(_ value: String?) -> JSON { valueIfReadable(value.map { .string($0) } ?? .null) }
    return [
      "id": .string(group.id), "deletedDateTime": nil, "classification": nil, "createdDateTime": nil,
      "creationOptions": [], "description": text(group.description), "displayName": text(group.name),
      "expirationDateTime": nil, "groupTypes": valueIfReadable(group.mail == nil ? [] : ["Unified"]),
      "isAssignableToRole": nil,
      "mail": text(group.mail), "mailEnabled": valueIfReadable(.bool(group.mail != nil)),
      "mailNickname": text(group.name.filter { $0.isLetter || $0.isNumber }), "membershipRule": nil,
      "onPremisesSyncEnabled": nil, "preferredLanguage": nil,
      "proxyAddresses": valueIfReadable(.array(group.mail.map { ["SMTP:\($0)"] } ?? [])), "renewedDateTime": nil,
      "securityEnabled": valueIfReadable(.bool(group.mail == nil)), "securityIdentifier": nil, "theme": nil,
      "visibility": text(group.mail == nil ? nil : "Public"),
    ]
  }

  static func collection(_ items: [JSON], context: String = "groups") -> GraphCollection {
    GraphCollection(
      items: items, context: context, style: .directory, properties: properties, typeName: "microsoft.graph.group")
  }

  static func group(_ id: String, _ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> Group
  {
    let requested = id.lowercased()
    guard let group = state.tenants[call.caller.tenantID]?.groups.first(where: { $0.id.lowercased() == requested })
    else {
      throw .resourceNotFound(id)
    }
    return group
  }

  /// Returns the members of the group in the request path.
  static func members(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [GraphState
    .Member]
  {
    let group = try group(call.parameters.first ?? "", call, state)
    return state.members(of: call.caller.tenantID).filter { !$0.isGuest && isMember($0.account.user, of: group) }
  }

  /// Adds a user to the group in the request path, or removes a user from it.
  static func change(
    _ id: String, _ call: GraphRequestContext, _ state: inout GraphState,
    _ body: (inout [String], Group) throws(GraphErrorResponse) -> Void
  ) throws(GraphErrorResponse) {
    let group = try group(call.parameters.first ?? "", call, state)
    guard let member = state.member(named: id, of: call.caller.tenantID), !member.isGuest,
      var account = state.accounts[member.account.user.id.lowercased()]
    else { throw .resourceNotFound(id) }
    try body(&account.user.memberOf, group)
    state.accounts[member.account.user.id.lowercased()] = account
  }

  static func isMember(_ user: User, of group: Group) -> Bool {
    user.memberOf.contains { $0.lowercased() == group.name.lowercased() }
  }
}

extension GraphRoute {
  private static let read = GraphAccess("Group.Read.All", "GroupMember.Read.All")
  private static let write = GraphAccess("GroupMember.ReadWrite.All", "Group.ReadWrite.All")

  static let groupRoutes: [GraphRoute] =
    [
      GraphRoute(.get, .root, "groups", .directory, needs: read, forApps: read, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let groups = state.tenants[call.caller.tenantID]?.groups ?? []
        return try GroupResource.collection(groups.map { GroupResource.json($0, includesAll: true) }).response(call)
      },
      GraphRoute(.get, .root, "groups/delta", .directory, needs: read, forApps: read, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let groups = (state.tenants[call.caller.tenantID]?.groups ?? []).map {
          GroupResource.json($0, includesAll: true)
        }
        return try GraphDelta(items: groups, context: "groups").response(call, &state)
      },
      GraphRoute(.get, .root, "groups/{}", .directory, needs: read, forApps: read, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let group = try GroupResource.group(call.parameters.first ?? "", call, state)
        return try GroupResource.collection([]).entity(GroupResource.json(group, includesAll: true), call)
      },
      GraphRoute(.get, .root, "groups/$count", .directory, needs: read, forApps: read, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        let groups = state.tenants[call.caller.tenantID]?.groups ?? []
        return try GroupResource.collection(groups.map { GroupResource.json($0, includesAll: true) }).count(call)
      },
      GraphRoute(.get, .root, "groups/{}/owners", .directory, needs: read, forApps: read, isForPersonal: false) {
        call, state throws(GraphErrorResponse) in
        _ = try GroupResource.group(call.parameters.first ?? "", call, state)
        return try DirectoryObjects.users([], call).response(call)
      },
      GraphRoute(.post, .root, "groups/{}/members/$ref", .directory, needs: write, forApps: write, isForPersonal: false)
      {
        call, state throws(GraphErrorResponse) in
        let reference = try call.object().member("@odata.id")?.string ?? ""
        try GroupResource.change(String(reference.split(separator: "/").last ?? ""), call, &state) {
          memberOf, group throws(GraphErrorResponse) in
          guard !memberOf.contains(where: { $0.lowercased() == group.name.lowercased() }) else {
            throw .badRequest(
              "One or more added object references already exist for the following modified properties: 'members'.")
          }
          memberOf.append(group.name)
        }
        return .noContent
      },
      GraphRoute(
        .delete, .root, "groups/{}/members/{}/$ref", .directory, needs: write, forApps: write, isForPersonal: false
      ) { call, state throws(GraphErrorResponse) in
        let name = call.parameters.last ?? ""
        try GroupResource.change(name, call, &state) { memberOf, group throws(GraphErrorResponse) in
          guard memberOf.contains(where: { $0.lowercased() == group.name.lowercased() }) else {
            throw .resourceNotFound(name)
          }
          memberOf.removeAll { $0.lowercased() == group.name.lowercased() }
        }
        return .noContent
      },
    ]
    + ["members", "transitiveMembers"].flatMap { name in
      [
        GraphRoute(.get, .root, "groups/{}/\(name)", .directory, needs: read, forApps: read, isForPersonal: false) {
          call, state throws(GraphErrorResponse) in
          try DirectoryObjects.users(try GroupResource.members(call, state), call).response(call)
        },
        GraphRoute(
          .get, .root, "groups/{}/\(name)/$count", .directory, needs: read, forApps: read, isForPersonal: false
        ) { call, state throws(GraphErrorResponse) in
          try DirectoryObjects.users(try GroupResource.members(call, state), call).count(call)
        },
      ]
    }
}
