import Documents
import Effects
import RunTrace

/// The answer of a token endpoint (RFC 6749 §5.1), read as MSAL reads it.
package struct TokenResponse: Sendable {
  /// `Bearer`, as the server writes it.
  package var tokenType: String?
  package var accessToken: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// What the server says it granted, in its order and case; nil where it says nothing, which means what was asked.
  package var scope: ScopeSet?
  /// When the access token ends. An hour from now where the server does not say, or says no number.
  package var expiresOn: Instant
  /// Whether `expiresOn` is the default hour.
  package var expiryIsAssumed: Bool
  /// Until when the token may still be used while the service is down.
  package var extendedExpiresOn: Instant?
  /// From when on it is time to get a new one, well before the end.
  package var refreshOn: Instant?
  /// `foci`: the family of apps that share the refresh token.
  package var familyID: String?
  package var clientInfo: ClientInfo?
  /// The whole answer.
  package var json: JSON

  /// What MSAL assumes of a token whose end is not told.
  package static let defaultLifetime = Duration.seconds(3600)

  /// Reads the answer's members; a string that should be a number, or the other way round, is taken for what it says.
  /// - Throws: `ClientInfoFailure` where there is a `client_info` that cannot be read.
  package init(_ json: JSON, receivedAt now: Instant) throws(ClientInfoFailure) {
    func secret(_ name: String, _ kind: Secret.Kind) -> Secret? {
      json[name]?.string.flatMap { $0.isEmpty ? nil : Secret($0, kind: kind) }
    }
    self.json = json
    tokenType = json["token_type"]?.string
    accessToken = secret("access_token", .accessToken)
    refreshToken = secret("refresh_token", .refreshToken)
    idToken = secret("id_token", .idToken)
    scope = json["scope"]?.string.map { ScopeSet(parsing: $0) }
    let end = Self.moment(json["expires_on"], in: json["expires_in"], now: now)
    expiresOn = end ?? now + Self.defaultLifetime
    expiryIsAssumed = end == nil
    extendedExpiresOn = Self.moment(json["ext_expires_on"], in: json["ext_expires_in"], now: now, zeroIsNone: true)
    refreshOn = Self.moment(json["refresh_on"], in: json["refresh_in"], now: now, zeroIsNone: true)
    familyID = json["foci"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    clientInfo =
      if let text = json["client_info"]?.string, !text.isEmpty { try ClientInfo(encoded: text) } else { nil }
  }

  private static func moment(_ on: JSON?, in seconds: JSON?, now: Instant, zeroIsNone: Bool = false) -> Instant? {
    if let at = number(on), !(zeroIsNone && at == 0) { return Instant(secondsSince1970: at) }
    // Whole years of seconds at most, so that no sum leaves the range of time.
    guard let length = number(seconds), !(zeroIsNone && length == 0) else { return nil }
    return now + .seconds(min(max(length, -4_000_000_000), 4_000_000_000))
  }

  private static func number(_ json: JSON?) -> Int64? {
    switch json {
    case .integer(let value): value
    case .real(let value): value.isFinite && abs(value) < 1e15 ? Int64(value) : nil
    case .string(let text): Int64(text.trimmingSpaces())
    default: nil
    }
  }
}
