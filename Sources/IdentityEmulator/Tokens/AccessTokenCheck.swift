import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// Reads an access token back as an API does: signature, time, and whether the user's tokens were revoked since.
struct AccessTokenCheck: Sendable {
  let platform: Platform
  let now: Instant

  enum Failure: Error, Hashable, Sendable {
    /// No token of this platform.
    case malformed
    case badSignature
    case expired
    /// The user's tokens are valid from this moment on, and this one is older; the client handles challenges.
    case revoked(since: Instant, isContinuous: Bool)
    /// The account is disabled or gone.
    case accountUnusable(isContinuous: Bool)
  }

  func check(_ text: String) -> Result<JSON, Failure> {
    let claims: JSON
    if text.hasPrefix(TokenIssuer.opaquePrefix) {
      guard
        let opened = OpaqueTokenCipher.open(String(text.dropFirst(TokenIssuer.opaquePrefix.count)), for: .accessToken)
      else {
        return .failure(.malformed)
      }
      claims = opened
    } else if let known = platform.verifiedTokens.claims(of: text) {
      claims = known
    } else {
      guard let token = try? UnverifiedJWT(parsing: text) else { return .failure(.malformed) }
      // Any of the platform's keys: a rotation does not make tokens of before unusable at once.
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
    guard let end = claims["exp"]?.integer, end > now.secondsSince1970,
      (claims["nbf"]?.integer ?? 0) <= now.secondsSince1970
    else { return .failure(.expired) }
    guard let accountID = claims["xms_home"]?.string else { return .success(claims) }
    let isContinuous = claims["xms_cc"]?.array?.contains { $0.string?.lowercased() == "cp1" } ?? false
    let (account, history) = platform.withState { ($0.graph.account(accountID), $0.history(of: accountID)) }
    guard let account, !account.user.isDisabled else { return .failure(.accountUnusable(isContinuous: isContinuous)) }
    let generation = claims["rh"]?.string.flatMap { Int($0.dropFirst(2).prefix { $0.isNumber }) } ?? 0
    if generation < history.accessExpiredBelow { return .failure(.expired) }
    if generation < history.revokedBelow, let since = history.validFrom {
      // Without the capability, a token that was issued before lives to its end.
      guard isContinuous else { return .success(claims) }
      return .failure(.revoked(since: since, isContinuous: true))
    }
    return .success(claims)
  }

  /// The text behind `Bearer`; nil where there is none.
  static func bearer(_ request: RequestMessage) -> String? {
    guard let header = request.head.headerFields[.authorization], header.prefix(6).lowercased() == "bearer" else {
      return nil
    }
    let token = Substring(header.utf8.dropFirst(6)).trimmingSpaces()
    return token.isEmpty ? nil : token
  }
}

/// The `WWW-Authenticate` headers of resources.
enum BearerChallenge {
  private static func head(_ base: String) -> String {
    "Bearer realm=\"\", authorization_uri=\"\(base)/common/oauth2/authorize\", client_id=\"00000003-0000-0000-c000-000000000000\""
  }

  static func plain(base: String) -> String { head(base) }

  /// Demands another token, one that meets these claims.
  static func insufficientClaims(_ claims: JSON, base: String) -> String {
    head(base) + ", error=\"insufficient_claims\", claims=\"\(Base64.encode(claims.text().utf8))\""
  }
}
