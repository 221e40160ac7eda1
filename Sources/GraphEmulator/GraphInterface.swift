import Directory
import Documents
import Effects
import OrderedCollections

// The interface between the identity emulator and Graph. The identity emulator validates the token (signature,
// audience, time, revocation) before each call. Graph checks scopes and paths, and does not use the token itself.

/// The caller of Graph, from the claims of a verified access token.
package struct GraphCaller: Sendable {
  /// The claims of the access token.
  package var claims: JSON
  /// The id of the user's home account, the key for `GraphState.account(_:)`. Nil for app-only access.
  package var accountID: String?
  /// The user's object id in the tenant of the token. It differs from `accountID` for guests. Nil for app-only access.
  package var objectID: String?
  /// The tenant of the token.
  package var tenantID: String
  /// Delegated permissions from the claim `scp`. Empty for app-only access.
  package var scopes: [String]
  /// Application permissions from the claim `roles`.
  package var roles: [String]
  package var appID: String

  package init(
    claims: JSON, accountID: String?, objectID: String?, tenantID: String, scopes: [String], roles: [String],
    appID: String
  ) {
    self.claims = claims
    self.accountID = accountID
    self.objectID = objectID
    self.tenantID = tenantID
    self.scopes = scopes
    self.roles = roles
    self.appID = appID
  }

  /// Whether the token was issued to an app without a user (client credentials).
  package var isAppOnly: Bool { accountID == nil }
  /// Whether the user has a personal Microsoft account.
  package var isPersonal: Bool { tenantID == Tenant.personalID }
}

/// The validation result for the bearer token of a Graph request.
package enum GraphAuthentication: Sendable {
  case caller(GraphCaller)
  /// The token is missing or invalid. The response is 401 with this error.
  case rejected(GraphAuthenticationError)
}

/// An invalid token: the members of the error body and the challenge in the header.
package struct GraphAuthenticationError: Sendable {
  /// The error code, such as `InvalidAuthenticationToken`.
  package var code: String
  package var message: String
  /// The complete `WWW-Authenticate` header.
  package var challenge: String

  package init(code: String, message: String, challenge: String) {
    self.code = code
    self.message = message
    self.challenge = challenge
  }

  /// The error for a request without a token to an upload URL that is not an upload.
  package static let uploadOnly = GraphAuthenticationError(
    code: "unauthenticated", message: "The upload URL accepts only upload requests.", challenge: "Bearer")
}

/// A request to Graph.
package struct GraphRequest: Sendable {
  package var message: RequestMessage
  package var authentication: GraphAuthentication
  /// `https://graph.microsoft.com`, or the emulator's `scheme://host:port`. Links in responses start with it.
  package var baseURL: String
  /// The percent-encoded path without the query, including the version: `/v1.0/me`.
  package var path: String
  /// The query without its `?`. Empty if there is none.
  package var query: String
  /// The value of the header `request-id` and the default of `client-request-id`.
  package var requestID: String
  package var now: Instant
  /// Whether the response may have `Strict-Transport-Security` (RFC 6797).
  package var demandsTLS: Bool

  package init(
    message: RequestMessage, authentication: GraphAuthentication, baseURL: String, path: String, query: String,
    requestID: String, now: Instant, demandsTLS: Bool = false
  ) {
    self.message = message
    self.authentication = authentication
    self.baseURL = baseURL
    self.path = path
    self.query = query
    self.requestID = requestID
    self.now = now
    self.demandsTLS = demandsTLS
  }
}
