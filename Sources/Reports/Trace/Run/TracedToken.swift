import Documents
import Effects

/// A token, code, or other secret of a run, identified by its placeholder.
package struct TracedToken: Sendable {
  /// The source and the account of a token: a `token.acquired` event.
  package struct Acquisition: Sendable {
    package var seq: Int
    package var time: Instant
    package var step: Int?
    /// `cache`, `refreshToken`, `authorizationCode`, or `deviceCode`.
    package var source: String
    package var scopes: [String]
    package var expiresOn: String?
    /// Whether the token has expired and is used because the service is down.
    package var isExtended: Bool
    package var account: String?
    package var authority: String?
    package var tenant: String?
    package var correlationID: String?
  }

  /// A use of the token.
  package enum Use: Hashable, Sendable {
    /// The index of an exchange whose request contains it.
    case sent(exchange: Int)
    /// The index of an exchange whose response contains it.
    case received(exchange: Int)
    /// The index of a cache write.
    case cached(write: Int)
  }

  /// The placeholder, such as `‹access token #2›`.
  package var label: String
  /// The type: `access token`, `refresh token`, `id token`, `authorization code`, …
  package var kind: String
  /// The number of the placeholder within its type.
  package var number: Int
  /// The decoded header of a JWT.
  package var header: JSON?
  package var claims: JSON?
  package var acquisitions: [Acquisition] = []
  /// The uses in order, without duplicates.
  package var uses: [Use] = []
}
