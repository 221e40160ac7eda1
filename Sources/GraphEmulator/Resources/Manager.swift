import Directory
import Documents
import HTTPTypes

/// `/me/manager`: the user's manager.
enum Manager {
  static func of(_ subject: GraphSubject, _ call: GraphRequestContext, _ state: GraphState) -> GraphState.Member? {
    guard let name = subject.member.account.user.manager?.lowercased(), !subject.member.isGuest else { return nil }
    return state.members(of: call.caller.tenantID).first { $0.account.user.username.lowercased() == name }
  }
}

extension GraphRoute {
  private static let required = GraphAccess("User.Read.All")

  static let managerRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .user, "manager", .directory, needs: required, forOthers: required, forApps: required, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      guard let manager = Manager.of(subject, call, state) else { throw .resourceNotFound("manager") }
      return try DirectoryObjects.users([], call).entity(DirectoryObjects.user(manager), call)
    }
  ]
}
