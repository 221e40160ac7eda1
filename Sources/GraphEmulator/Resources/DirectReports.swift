import Directory
import Documents
import HTTPTypes

/// `/me/directReports`: the users who report directly to the user.
extension GraphRoute {
  private static let required = GraphAccess("User.Read.All")

  static let directReportsRoutes: [GraphRoute] = [
    GraphRoute(
      .get, .user, "directReports", .directory, needs: required, forOthers: required, forApps: required,
      isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      let name = subject.member.account.user.username.lowercased()
      let reports = state.members(of: call.caller.tenantID).filter {
        !$0.isGuest && $0.account.user.manager?.lowercased() == name
      }
      return try DirectoryObjects.users(reports, call).response(call)
    }
  ]
}
