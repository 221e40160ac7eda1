import Documents
import HTTPTypes

/// `/me/revokeSignInSessions`: revokes the user's refresh tokens and browser sessions. For clients that handle claims
/// challenges, Graph also rejects existing access tokens and returns a challenge.
extension GraphRoute {
  private static let required = GraphAccess("User.RevokeSessions.All")

  static let revokeSignInSessionsRoutes: [GraphRoute] = ["revokeSignInSessions", "invalidateAllRefreshTokens"].map {
    GraphRoute(
      .post, .user, $0, .directory, needs: required, forOthers: required, forApps: required, isForPersonal: false
    ) { call, state throws(GraphErrorResponse) in
      guard let subject = call.subject else { throw .delegatedOnly }
      state.accountsToRevoke.append(subject.accountID)
      return .entity(["value": true], context: call.context("Edm.Boolean"))
    }
  }
}
