import Directory
import Documents
import Effects
import OrderedCollections

// The interface between the identity platform and Graph. The identity platform has verified the token (signature, audience,
// time, revocation) before it calls; Graph checks scopes and paths, and never looks at the token itself.

/// Who calls Graph, as a verified access token says.
package struct GraphCaller: Sendable {
  /// The claims of the access token.
  package var claims: JSON
  /// The id of the user's account at home, which keys `GraphState.account(_:)`; nil for an app without a user.
  package var accountID: String?
  /// The user's object id in the tenant of the token; differs from `accountID` for guests. Nil for an app alone.
  package var objectID: String?
  /// The tenant that the token is for.
  package var tenantID: String
  /// Delegated permissions, as in the claim `scp`; empty for an app alone.
  package var scopes: [String]
  /// Application permissions, as in the claim `roles`.
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

/// What the identity side found out about the bearer token of a request to Graph.
package enum GraphAuthentication: Sendable {
  case caller(GraphCaller)
  /// No token, or none that counts; the answer is 401 with this.
  case refused(GraphAuthenticationError)
}

/// Why Graph does not take a token: the members of its error body, and the challenge of its header.
package struct GraphAuthenticationError: Sendable {
  /// `InvalidAuthenticationToken` and the like.
  package var code: String
  package var message: String
  /// The whole `WWW-Authenticate` header.
  package var challenge: String

  package init(code: String, message: String, challenge: String) {
    self.code = code
    self.message = message
    self.challenge = challenge
  }

  /// Of a request to an upload URL, which opens nothing but its upload.
  package static let uploadOnly = GraphAuthenticationError(
    code: "unauthenticated", message: "The upload URL opens nothing else.", challenge: "Bearer")
}

/// One request to Graph.
package struct GraphRequest: Sendable {
  package var message: RequestMessage
  package var authentication: GraphAuthentication
  /// `https://graph.microsoft.com`, or the emulator's own `scheme://host:port`; links in answers begin with it.
  package var baseURL: String
  /// Percent-encoded path without its query, version included: `/v1.0/me`.
  package var path: String
  /// The query as written, without its `?`; empty where there is none.
  package var query: String
  /// For the headers `request-id` and, unless the caller sent one, `client-request-id`.
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
