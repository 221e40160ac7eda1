import Effects
import RunTrace

/// The values that an ID token must contain, taken from the request and the provider's metadata.
package struct IDTokenValidationParameters: Sendable {
  /// Whether the token must contain a nonce. Callers must opt out of the check explicitly.
  package enum Nonce: Sendable {
    case mustEqual(String)
    /// The request did not contain a nonce, for example because it was a refresh or a device code request.
    case notSent
  }

  /// The expected issuer. `{tenantid}` matches the token's `tid` (multitenant endpoints of Microsoft Entra ID).
  package var issuer: String
  package var clientID: String
  package var nonce: Nonce
  /// The access token in the same response, for checking `at_hash`.
  package var accessToken: Secret?
  /// The authorization code in the same response, for checking `c_hash`.
  package var code: Secret?
  /// The requested maximum time since the user authenticated.
  package var maxAge: Duration?
  /// The `sub` of the token that a refresh replaces (OpenID Connect Core §12.2).
  package var subject: String?
  package var now: Instant
  /// The allowed difference between the provider's clock and the local clock.
  package var skew = Self.allowedSkew

  /// Five minutes, as in Microsoft's libraries.
  package static let allowedSkew = Duration.seconds(300)

  package init(
    issuer: String, clientID: String, nonce: Nonce, accessToken: Secret? = nil, code: Secret? = nil, now: Instant
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.accessToken = accessToken
    self.code = code
    self.now = now
  }
}
