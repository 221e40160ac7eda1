import Documents
import Effects
import RunTrace

/// A successful response from the token endpoint (RFC 6749 §5.1), parsed as in MSAL.
package struct TokenResponse: Sendable {
  /// The token type as the server returned it, for example `Bearer`.
  package var tokenType: String?
  package var accessToken: Secret?
  package var refreshToken: Secret?
  package var idToken: Secret?
  /// The granted scopes in the server's order and case. Nil if the response omits `scope`, because the server granted
  /// exactly the requested scopes (RFC 6749 §5.1).
  package var scope: ScopeSet?
  /// The time at which the access token expires. If the response does not contain a valid lifetime, this is one hour
  /// from now.
  package var expiresOn: Instant
  /// Whether `expiresOn` is the default of one hour.
  package var expiryIsAssumed: Bool
  /// The end of the period in which the token can be used while the service is unavailable.
  package var extendedExpiresOn: Instant?
  /// The time after which the client should refresh the token, even though it is still valid.
  package var refreshOn: Instant?
  /// `foci`: the family of apps that share the refresh token.
  package var familyID: String?
  package var clientInfo: ClientInfo?
  /// The complete response.
  package var json: JSON

  /// MSAL's default lifetime for access tokens.
  package static let defaultLifetime = Duration.seconds(3600)

  /// Parses a response. Accepts numbers as JSON numbers or strings.
  /// - Throws: `ClientInfoFailure` if `client_info` is invalid.
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
    // The limit prevents an overflow when the time is calculated.
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
