import Effects
import RunTrace

/// What an ID token must say to be believed: everything that the request and the provider fix.
package struct IDTokenValidationParameters: Sendable {
  /// Leaving a check out takes a word.
  package enum Nonce: Sendable {
    case mustEqual(String)
    /// The answer belongs to no authorization request, as with a refresh or a device code.
    case noneWasSent
  }

  /// Whose token it must be. `{tenantid}` stands for the token's own `tid` (Entra's multi-tenant endpoints).
  package var issuer: String
  package var clientID: String
  package var nonce: Nonce
  /// The access token of the same answer, for `at_hash`.
  package var accessToken: Secret?
  /// The code of the same answer, for `c_hash`.
  package var code: Secret?
  /// The longest time since the user signed in that was asked for.
  package var maxAge: Duration?
  /// The `sub` of the token that a refresh renews (OpenID Connect Core §12.2).
  package var subject: String?
  package var now: Instant
  /// How far the provider's clock may be from ours.
  package var skew: Duration

  /// Five minutes: what the platform's own libraries allow.
  package static let allowedSkew = Duration.seconds(300)

  package init(
    issuer: String, clientID: String, nonce: Nonce, accessToken: Secret? = nil, code: Secret? = nil,
    maxAge: Duration? = nil, subject: String? = nil, now: Instant, skew: Duration = Self.allowedSkew
  ) {
    self.issuer = issuer
    self.clientID = clientID
    self.nonce = nonce
    self.accessToken = accessToken
    self.code = code
    self.maxAge = maxAge
    self.subject = subject
    self.now = now
    self.skew = skew
  }
}
