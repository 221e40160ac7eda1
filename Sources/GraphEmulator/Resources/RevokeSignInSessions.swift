import Documents
import HTTPTypes

/// `/me/revokeSignInSessions`: every refresh token and browser session so far ends, and Graph answers the access tokens
/// of clients that can handle it with a claims challenge.
extension GraphRoute {
  private static let needed = GraphAccess("User.RevokeSessions.All")

  static let revokeSignInSessionsRoutes: [GraphRoute] = ["revokeSignInSessions", "invalidateAllRefreshTokens"].map {
    GraphRoute(
      .post, .user, $0, .directory, needs: needed, forOthers: needed, forApps: needed, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      state.accountsToRevoke.append(subject.accountID)
      return .entity(["value": true], context: call.context("Edm.Boolean"))
    }
  }
}
