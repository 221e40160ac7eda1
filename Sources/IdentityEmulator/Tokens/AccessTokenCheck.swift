import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// Validation of an access token's signature, validity period, and revocation, as in an API.
struct AccessTokenCheck: Sendable {
  let platform: Platform
  let now: Instant

  enum Failure: Error, Hashable, Sendable {
    /// The platform did not issue the token.
    case malformed
    case badSignature
    case expired
    /// The token was issued before the user's tokens were revoked, and the client handles claims challenges.
    case revoked(since: Instant, isContinuous: Bool)
    /// The account is disabled or deleted.
    case accountUnusable(isContinuous: Bool)
  }

  /// Returns the claims of a valid token.
  func check(_ text: String) -> Result<JSON, Failure> {
    let claims: JSON
    if text.hasPrefix(TokenIssuer.opaquePrefix) {
      guard
        let opened = OpaqueTokenCipher.open(String(text.dropFirst(TokenIssuer.opaquePrefix.count)), for: .accessToken)
      else {
        return .failure(.malformed)
      }
      claims = opened
    } else if let cached = platform.verifiedTokens.claims(of: text) {
      claims = cached
    } else {
      guard let token = try? UnverifiedJWT(parsing: text) else { return .failure(.malformed) }
      // Accept any of the platform's keys, because tokens stay valid after a key rotation.
      let isSigned =
        token.header["alg"]?.string == "RS256"
        && platform.keys.keys.contains { key in
          key.publicKey.keyID == token.header["kid"]?.string
            && key.verifies(token.signature, over: token.signingInput)
        }
      guard isSigned else { return .failure(.badSignature) }
      claims = token.claims
      platform.verifiedTokens.add(claims, of: text)
    }
    guard let expiry = claims["exp"]?.integer, expiry > now.secondsSince1970,
      (claims["nbf"]?.integer ?? 0) <= now.secondsSince1970
    else { return .failure(.expired) }
    guard let accountID = claims["xms_home"]?.string else { return .success(claims) }
    let isContinuous = claims["xms_cc"]?.array?.contains { $0.string?.lowercased() == "cp1" } ?? false
    let (account, history) = platform.withState { ($0.graph.account(accountID), $0.history(of: accountID)) }
    guard let account, !account.user.isDisabled else { return .failure(.accountUnusable(isContinuous: isContinuous)) }
    let generation = claims["rh"]?.string.flatMap { Int($0.dropFirst(2).prefix { $0.isNumber }) } ?? 0
    if generation < history.accessExpiredBelow { return .failure(.expired) }
    if generation < history.revokedBelow, let since = history.validFrom {
      // If the client does not declare the `cp1` capability, revoked access tokens stay valid until they expire.
      guard isContinuous else { return .success(claims) }
      return .failure(.revoked(since: since, isContinuous: true))
    }
    return .success(claims)
  }

  /// Returns the bearer token of the `Authorization` header, or nil.
  static func bearer(_ request: RequestMessage) -> String? {
    guard let header = request.head.headerFields[.authorization], header.prefix(6).lowercased() == "bearer" else {
      return nil
    }
    let token = Substring(header.utf8.dropFirst(6)).trimmingSpaces()
    return token.isEmpty ? nil : token
  }
}

/// `WWW-Authenticate` headers of resource servers (RFC 6750 §3).
enum BearerChallenge {
  private static func head(_ base: String) -> String {
    "Bearer realm=\"\", authorization_uri=\"\(base)/common/oauth2/authorize\", client_id=\"00000003-0000-0000-c000-000000000000\""
  }

  static func plain(base: String) -> String { head(base) }

  /// Returns a claims challenge, which requests a new token with these claims.
  static func insufficientClaims(_ claims: JSON, base: String) -> String {
    head(base) + ", error=\"insufficient_claims\", claims=\"\(Base64.encode(claims.text().utf8))\""
  }
}
