import Documents
import Effects

/// A token, code, or other secret in a run, identified by its placeholder.
package struct TracedToken: Sendable {
  /// A token acquisition, recorded in a `token.acquired` event.
  package struct Acquisition: Sendable {
    package var seq: Int
    package var time: Instant
    package var step: Int?
    /// The source: `cache`, `refreshToken`, `authorizationCode`, or `deviceCode`.
    package var source: String
    package var scopes: [String]
    package var expiresOn: String?
    /// Whether the app uses the expired token because the service is unavailable.
    package var isExtended: Bool
    package var account: String?
    package var authority: String?
    package var tenant: String?
    package var correlationID: String?
  }

  /// A use of the token.
  package enum Use: Hashable, Sendable {
    /// The request of the exchange with this index contains the token.
    case sent(exchange: Int)
    /// The response of the exchange with this index contains the token.
    case received(exchange: Int)
    /// The cache write with this index stored the token.
    case cached(write: Int)
  }

  /// The placeholder, such as `‹access token #2›`.
  package var label: String
  /// The type, such as `access token`, `refresh token`, `id token`, or `authorization code`.
  package var kind: String
  /// The number of the placeholder among placeholders of the same type.
  package var number: Int
  /// The decoded header, if the token is a JWT.
  package var header: JSON?
  package var claims: JSON?
  package var acquisitions: [Acquisition] = []
  /// The uses in order, without duplicates.
  package var uses: [Use] = []
}
