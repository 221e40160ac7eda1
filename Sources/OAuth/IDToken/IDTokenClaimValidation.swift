import Crypto
import Documents
import Effects
import RunTrace

/// The checks of an ID token's claims, which are independent of each other (OpenID Connect Core §3.1.3.7). An absent
/// optional claim produces no result.
struct IDTokenClaimValidation {
  let claims: JSON
  let expected: IDTokenValidationParameters

  var results: [IDTokenCheckResult] {
    [
      issuer, subject, audience, authorizedParty, expiry, notBefore, issuedAt, nonce,
      hash("at_hash", .accessTokenHash, of: expected.accessToken), hash("c_hash", .codeHash, of: expected.code),
      authenticationTime,
    ].compactMap { $0 }
  }

  /// `iss` must equal the provider's issuer (§3.1.3.7, item 2).
  private var issuer: IDTokenCheckResult {
    let placeholder = ProviderMetadata.tenantPlaceholder
    var expectedIssuer = expected.issuer
    if expectedIssuer.containsUTF8(placeholder) {
      guard let tenant = claims["tid"]?.string, UUIDText.isValid(tenant) else {
        return IDTokenCheckResult(
          .issuer, passed: false, reason: "the issuer depends on `tid`, which is missing or not a GUID")
      }
      expectedIssuer = expectedIssuer.replacing(placeholder, with: tenant)
    }
    guard let issuer = claims["iss"]?.string else {
      return IDTokenCheckResult(.issuer, passed: false, reason: "`iss` is missing")
    }
    let passed = issuer == expectedIssuer
    return IDTokenCheckResult(.issuer, passed: passed, reason: passed ? issuer : "\(issuer) is not \(expectedIssuer)")
  }

  /// `sub` is required (§2) and must not change when tokens are refreshed (§12.2).
  private var subject: IDTokenCheckResult {
    guard let subject = claims["sub"]?.string, !subject.isEmpty else {
      return IDTokenCheckResult(.subject, passed: false, reason: "`sub` is missing")
    }
    guard let expectedSubject = expected.subject else {
      return IDTokenCheckResult(.subject, passed: true, reason: subject)
    }
    let passed = subject == expectedSubject
    return IDTokenCheckResult(
      .subject, passed: passed,
      reason: passed ? "matches the previous ID token" : "\(subject) is not \(expectedSubject)")
  }

  private var audiences: [String]? {
    switch claims["aud"] {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.string).count == many.count ? many.compactMap(\.string) : nil
    default: nil
    }
  }

  /// `aud` must contain the client ID (§3.1.3.7, item 3).
  private var audience: IDTokenCheckResult {
    guard let audiences, !audiences.isEmpty else {
      return IDTokenCheckResult(.audience, passed: false, reason: "`aud` is missing")
    }
    let passed = audiences.contains(expected.clientID)
    let list = audiences.joined(separator: ", ")
    return IDTokenCheckResult(
      .audience, passed: passed,
      reason: passed ? "client \(expected.clientID)" : "\(list) is not \(expected.clientID)")
  }

  /// `azp` is required if there are several audiences, and must be the client ID (§3.1.3.7, items 4 and 5).
  private var authorizedParty: IDTokenCheckResult? {
    guard let party = claims["azp"] else {
      guard let audiences, audiences.count > 1 else { return nil }
      return IDTokenCheckResult(
        .authorizedParty, passed: false, reason: "the token has several audiences but no `azp`")
    }
    let passed = party.string == expected.clientID
    return IDTokenCheckResult(
      .authorizedParty, passed: passed,
      reason: passed ? "client \(expected.clientID)" : "\(party.string ?? "`azp`") is not \(expected.clientID)")
  }

  private func moment(_ name: String) -> Instant? {
    guard let number = claims[name]?.number, number.isFinite, abs(number) < 1e12 else { return nil }
    return Instant(secondsSince1970: Int64(number.rounded(.down)))
  }

  /// `exp` must be in the future (§3.1.3.7, item 9).
  private var expiry: IDTokenCheckResult {
    guard let end = moment("exp") else {
      return IDTokenCheckResult(.expiry, passed: false, reason: "`exp` is missing")
    }
    let passed = expected.now < end + expected.skew
    return IDTokenCheckResult(
      .expiry, passed: passed,
      reason: "\(passed ? "expires" : "expired") \(end.rfc3339()), now \(expected.now.rfc3339())")
  }

  /// `nbf` must not be in the future (RFC 7519 §4.1.5).
  private var notBefore: IDTokenCheckResult? {
    guard claims["nbf"] != nil else { return nil }
    guard let start = moment("nbf") else {
      return IDTokenCheckResult(.notBefore, passed: false, reason: "`nbf` is not a number")
    }
    let passed = start <= expected.now + expected.skew
    return IDTokenCheckResult(
      .notBefore, passed: passed,
      reason: "valid from \(start.rfc3339()), now \(expected.now.rfc3339())")
  }

  /// `iat` must not be in the future (§3.1.3.7, item 10).
  private var issuedAt: IDTokenCheckResult {
    guard let issued = moment("iat") else {
      return IDTokenCheckResult(.issuedAt, passed: false, reason: "`iat` is missing")
    }
    let passed = issued <= expected.now + expected.skew
    return IDTokenCheckResult(
      .issuedAt, passed: passed,
      reason: "issued \(issued.rfc3339())\(passed ? "" : ", which is after now, \(expected.now.rfc3339())")")
  }

  /// `nonce` must equal the nonce of the request (§3.1.3.7, item 11).
  private var nonce: IDTokenCheckResult? {
    guard case .mustEqual(let sent) = expected.nonce else { return nil }
    guard let nonce = claims["nonce"]?.string else {
      return IDTokenCheckResult(.nonce, passed: false, reason: "`nonce` is missing")
    }
    let passed = ConstantTime.equal(nonce, sent)
    return IDTokenCheckResult(
      .nonce, passed: passed, reason: passed ? "matches the request" : "does not match the request")
  }

  /// Checks that the claim is the left half of the value's SHA-256 hash (§3.1.3.6). Both supported signature algorithms
  /// use SHA-256.
  private func hash(_ name: String, _ check: IDTokenCheckResult.Check, of secret: Secret?) -> IDTokenCheckResult? {
    guard let claim = claims[name] else { return nil }
    guard let secret else { return nil }
    let digest = Array(SHA256.hash(data: Array(secret.reveal().utf8)))
    let passed = claim.string == Base64URL.encode(digest[..<16])
    return IDTokenCheckResult(
      check, passed: passed,
      reason: passed ? "matches the \(secret.kind.rawValue)" : "does not match the \(secret.kind.rawValue)")
  }

  /// `auth_time` must be recent enough if the request contains `max_age` (§3.1.3.7, item 13).
  private var authenticationTime: IDTokenCheckResult? {
    guard let maxAge = expected.maxAge else { return nil }
    guard let signedIn = moment("auth_time") else {
      return IDTokenCheckResult(
        .authenticationTime, passed: false, reason: "`auth_time` is missing, but the request contains `max_age`")
    }
    let passed = expected.now - signedIn <= maxAge + expected.skew
    return IDTokenCheckResult(
      .authenticationTime, passed: passed,
      reason: "authenticated \(signedIn.rfc3339()); `max_age` is \(maxAge.components.seconds) s")
  }
}
