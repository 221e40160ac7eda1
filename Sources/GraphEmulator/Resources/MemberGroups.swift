import Documents
import HTTPTypes

/// `getMemberGroups` and similar actions: the ids of a user's groups and roles. Apps call these actions if the token
/// contains a groups overage claim instead of the groups.
enum MemberGroups {
  /// - Parameter withRoles: Whether to include directory roles.
  static func ids(
    _ call: GraphRequestContext, _ state: GraphState, withRoles: Bool
  ) throws(GraphErrorResponse) -> [String] {
    try MemberOf.items(call, state)
      .filter { withRoles || $0["@odata.type"]?.string == "#microsoft.graph.group" }
      .compactMap { $0["id"]?.string }
  }

  static func get(_ call: GraphRequestContext, _ state: GraphState, withRoles: Bool) throws(GraphErrorResponse)
    -> GraphResponse
  {
    response(try ids(call, state, withRoles: withRoles), call)
  }

  /// Returns the requested ids that belong to the user's groups and roles.
  static func check(
    _ call: GraphRequestContext, _ state: GraphState, name: String, withRoles: Bool
  ) throws(GraphErrorResponse) -> GraphResponse {
    guard let requestedIDs = try call.object().member(name)?.array?.compactMap(\.string), requestedIDs.count <= 20
    else {
      throw .badRequest("Invalid value specified for property '\(name)': the maximum is 20 ids.")
    }
    let requested = Set(requestedIDs.map { $0.lowercased() })
    return response(try ids(call, state, withRoles: withRoles).filter { requested.contains($0.lowercased()) }, call)
  }

  private static func response(_ ids: [String], _ call: GraphRequestContext) -> GraphResponse {
    .entity(["value": .array(ids.map { .string($0) })], context: call.context("Collection(Edm.String)"))
  }
}

extension GraphRoute {
  private static let required = GraphAccess("User.Read", "GroupMember.Read.All")
  private static let others = GraphAccess("User.Read.All", "GroupMember.Read.All")

  private static func memberGroups(
    _ name: String,
    _ body: @escaping @Sendable (GraphRequestContext, GraphState) throws(GraphErrorResponse) -> GraphResponse
  ) -> GraphRoute {
    GraphRoute(
      .post, .user, name, .directory, needs: required, forOthers: others, forApps: others, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in try body(call, state) }
  }

  static let memberGroupsRoutes: [GraphRoute] = [
    memberGroups("getMemberGroups") { call, state throws(GraphErrorResponse) in
      try MemberGroups.get(call, state, withRoles: false)
    },
    memberGroups("getMemberObjects") { call, state throws(GraphErrorResponse) in
      try MemberGroups.get(call, state, withRoles: true)
    },
    memberGroups("checkMemberGroups") { call, state throws(GraphErrorResponse) in
      try MemberGroups.check(call, state, name: "groupIds", withRoles: false)
    },
    memberGroups("checkMemberObjects") { call, state throws(GraphErrorResponse) in
      try MemberGroups.check(call, state, name: "ids", withRoles: true)
    },
  ]
}
