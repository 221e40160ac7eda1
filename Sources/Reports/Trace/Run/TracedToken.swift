import Documents
import Effects

/// A token, code or other secret of a run, known by its placeholder alone.
package struct TracedToken: Sendable {
  /// What a token was got by, and for whom: one `token.acquired`.
  package struct Acquisition: Sendable {
    package var seq: Int
    package var time: Instant
    package var step: Int?
    /// `cache`, `refreshToken`, `authorizationCode` or `deviceCode`.
    package var source: String
    package var scopes: [String]
    package var expiresOn: String?
    /// Whether it is past its end and taken all the same, the platform being out of reach.
    package var isExtended: Bool
    package var account: String?
    package var authority: String?
    package var tenant: String?
    package var correlationID: String?
  }

  /// What happened with it.
  package enum Use: Hashable, Sendable {
    /// An exchange's request, as a position in `TracedRun.exchanges`.
    case sent(exchange: Int)
    /// An exchange's answer.
    case received(exchange: Int)
    /// A cache write, as a position in `TracedRun.cacheWrites`.
    case cached(write: Int)
  }

  /// `‹access token #2›`: the same everywhere in one trace.
  package var label: String
  /// `access token`, `refresh token`, `id token`, `authorization code`, …
  package var kind: String
  /// The placeholder's number among those of its kind.
  package var number: Int
  /// Where the token is a JWT whose content the trace tells.
  package var header: JSON?
  package var claims: JSON?
  package var acquisitions: [Acquisition] = []
  /// Where it is met, in order, each place once.
  package var uses: [Use] = []
}
