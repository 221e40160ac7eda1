import Directory
import Documents
import Effects
import OrderedCollections

// The interface between the identity emulator and the Graph emulator. The identity emulator validates the token
// (signature, audience, time, revocation) before each call. The Graph emulator checks permissions and paths. It does
// not process the token itself.

/// The caller of a Graph request, as described by the claims of a verified access token.
package struct GraphCaller: Sendable {
  /// The claims of the access token.
  package var claims: JSON
  /// The id of the user's home account, for `GraphState.account(_:)`. Nil for app-only access.
  package var accountID: String?
  /// The user's object id in the token's tenant. For guests, it differs from `accountID`. Nil for app-only access.
  package var objectID: String?
  /// The id of the tenant that issued the token.
  package var tenantID: String
  /// The delegated permissions in the `scp` claim. Empty for app-only access.
  package var scopes: [String]
  /// The application permissions in the `roles` claim.
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

/// The result of validating the bearer token in a Graph request.
package enum GraphAuthentication: Sendable {
  case caller(GraphCaller)
  /// The token is missing or invalid. The response has status 401 and contains this error.
  case rejected(GraphAuthenticationError)
}

/// The error response for an invalid token: the members of the body and the challenge in the header.
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

  /// The error for a request that is sent to an upload URL without a token but is not an upload.
  package static let uploadOnly = GraphAuthenticationError(
    code: "unauthenticated", message: "The upload URL accepts only upload requests.", challenge: "Bearer")
}

/// A request to Graph.
package struct GraphRequest: Sendable {
  package var message: RequestMessage
  package var authentication: GraphAuthentication
  /// The prefix of links in responses: `https://graph.microsoft.com`, or the emulator's `scheme://host:port`.
  package var baseURL: String
  /// The percent-encoded path without the query, including the version, such as `/v1.0/me`.
  package var path: String
  /// The query without the `?`. Empty if the URL has no query.
  package var query: String
  /// The value of the `request-id` header, and the default value of `client-request-id`.
  package var requestID: String
  package var now: Instant
  /// Whether the response may include the `Strict-Transport-Security` header (RFC 6797).
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
