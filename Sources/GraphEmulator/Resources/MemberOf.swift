import Directory
import Documents
import HTTPTypes
import OrderedCollections

/// `/me/memberOf`: the groups and directory roles of a user.
enum MemberOf {
  /// The built-in Global Administrator role. Its id is the id of the role template.
  static let administrator: JSON = [
    "id": "62e90394-69f5-4237-9190-012177145e10", "deletedDateTime": nil,
    "description": "Can manage all aspects of the directory.", "displayName": "Global Administrator",
    "roleTemplateId": "62e90394-69f5-4237-9190-012177145e10",
  ]

  private static let groups = GraphAccess("GroupMember.Read.All", "Group.Read.All")

  static func items(_ call: GraphRequestContext, _ state: GraphState) throws(GraphErrorResponse) -> [JSON] {
    guard let subject = call.subject else { throw .delegatedOnly }
    let member = subject.member
    guard !member.isGuest, let tenant = state.tenants[call.caller.tenantID] else { return [] }
    let includesAll = call.has(groups)
    let groups = tenant.groups.filter { GroupResource.isMember(member.account.user, of: $0) }.map {
      DirectoryObjects.typed(GroupResource.json($0, includesAll: includesAll), "#microsoft.graph.group")
    }
    guard member.account.user.isAdmin else { return groups }
    return groups + [DirectoryObjects.typed(administrator, "#microsoft.graph.directoryRole")]
  }

  static func response(_ call: GraphRequestContext, _ state: GraphState, type: String?) throws(GraphErrorResponse)
    -> GraphResponse
  {
    let requested = type.map { "#" + $0.lowercased() }
    let items = try items(call, state).filter { item in
      requested == nil || item["@odata.type"]?.string?.lowercased() == requested
    }
    return try DirectoryObjects.collection(items).response(call)
  }
}

extension GraphRoute {
  private static let required = GraphAccess("User.Read")
  private static let others = GraphAccess("User.Read.All", "GroupMember.Read.All")

  static let memberOfRoutes: [GraphRoute] = ["memberOf", "transitiveMemberOf"].flatMap { name in
    [
      GraphRoute(
        .get, .user, name, .directory, needs: required, forOthers: others, forApps: others, isForPersonal: false
      ) { call, state throws(GraphErrorResponse) in try MemberOf.response(call, state, type: nil) },
      // A type at the end of the path filters the result, as in `memberOf/microsoft.graph.group`.
      GraphRoute(
        .get, .user, name + "/{}", .directory, needs: required, forOthers: others, forApps: others, isForPersonal: false
      ) { call, state throws(GraphErrorResponse) in
        let type = call.parameters.last ?? ""
        if type == "$count" {
          return try DirectoryObjects.collection(try MemberOf.items(call, state)).count(call)
        }
        guard type.lowercased().hasPrefix("microsoft.graph.") else { throw .resourceNotFound(type) }
        return try MemberOf.response(call, state, type: type)
      },
    ]
  }
}
