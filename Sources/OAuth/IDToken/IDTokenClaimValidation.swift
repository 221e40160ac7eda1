import Crypto
import Documents
import Effects
import RunTrace

/// The checks of OpenID Connect Core §3.1.3.7 on claims, each by itself. Those whose claim is optional and absent give
/// no verdict.
struct IDTokenClaimValidation {
  let claims: JSON
  let expected: IDTokenValidationParameters

  var verdicts: [IDTokenCheckResult] {
    [
      issuer, subject, audience, authorizedParty, expiry, notBefore, issuedAt, nonce,
      hash("at_hash", .accessTokenHash, of: expected.accessToken), hash("c_hash", .codeHash, of: expected.code),
      authenticationTime,
    ].compactMap { $0 }
  }

  private var issuer: IDTokenCheckResult {
    let placeholder = ProviderMetadata.tenantPlaceholder
    var wanted = expected.issuer
    if wanted.holds(placeholder) {
      guard let tenant = claims["tid"]?.string, UUIDText.isValid(tenant) else {
        return IDTokenCheckResult(
          .issuer, passed: false, reason: "the issuer depends on “tid”, which is missing or no GUID")
      }
      wanted = wanted.replacing(placeholder, with: tenant)
    }
    guard let found = claims["iss"]?.string else {
      return IDTokenCheckResult(.issuer, passed: false, reason: "“iss” is missing")
    }
    return IDTokenCheckResult(
      .issuer, passed: found == wanted, reason: found == wanted ? found : "\(found) is not \(wanted)")
  }

  private var subject: IDTokenCheckResult {
    guard let found = claims["sub"]?.string, !found.isEmpty else {
      return IDTokenCheckResult(.subject, passed: false, reason: "“sub” is missing")
    }
    guard let wanted = expected.subject else { return IDTokenCheckResult(.subject, passed: true, reason: found) }
    return IDTokenCheckResult(
      .subject, passed: found == wanted,
      reason: found == wanted ? "the same as before" : "\(found) is somebody else than \(wanted)")
  }

  private var audiences: [String]? {
    switch claims["aud"] {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.string).count == many.count ? many.compactMap(\.string) : nil
    default: nil
    }
  }

  private var audience: IDTokenCheckResult {
    guard let audiences, !audiences.isEmpty else {
      return IDTokenCheckResult(.audience, passed: false, reason: "“aud” is missing")
    }
    let passed = audiences.contains(expected.clientID)
    let found = audiences.joined(separator: ", ")
    return IDTokenCheckResult(
      .audience, passed: passed,
      reason: passed ? "the client \(expected.clientID)" : "\(found) is not \(expected.clientID)")
  }

  private var authorizedParty: IDTokenCheckResult? {
    guard let party = claims["azp"] else {
      guard let audiences, audiences.count > 1 else { return nil }
      return IDTokenCheckResult(.authorizedParty, passed: false, reason: "there are several audiences and no “azp”")
    }
    let passed = party.string == expected.clientID
    return IDTokenCheckResult(
      .authorizedParty, passed: passed,
      reason: passed ? "the client" : "\(party.string ?? "no text") is not \(expected.clientID)")
  }

  private func moment(_ name: String) -> Instant? {
    guard let number = claims[name]?.number, number.isFinite, abs(number) < 1e12 else { return nil }
    return Instant(secondsSince1970: Int64(number.rounded(.down)))
  }

  private var expiry: IDTokenCheckResult {
    guard let end = moment("exp") else { return IDTokenCheckResult(.expiry, passed: false, reason: "“exp” is missing") }
    let passed = expected.now < end + expected.skew
    return IDTokenCheckResult(
      .expiry, passed: passed, reason: "\(passed ? "ends" : "ended") \(end.rfc3339()), now \(expected.now.rfc3339())")
  }

  private var notBefore: IDTokenCheckResult? {
    guard claims["nbf"] != nil else { return nil }
    guard let start = moment("nbf") else {
      return IDTokenCheckResult(.notBefore, passed: false, reason: "“nbf” is no number")
    }
    let passed = start <= expected.now + expected.skew
    return IDTokenCheckResult(
      .notBefore, passed: passed,
      reason: "\(passed ? "began" : "begins") \(start.rfc3339()), now \(expected.now.rfc3339())")
  }

  private var issuedAt: IDTokenCheckResult {
    guard let issued = moment("iat") else {
      return IDTokenCheckResult(.issuedAt, passed: false, reason: "“iat” is missing")
    }
    let passed = issued <= expected.now + expected.skew
    return IDTokenCheckResult(
      .issuedAt, passed: passed,
      reason: "issued \(issued.rfc3339())\(passed ? "" : ", after now \(expected.now.rfc3339())")")
  }

  private var nonce: IDTokenCheckResult? {
    guard case .mustEqual(let wanted) = expected.nonce else { return nil }
    guard let found = claims["nonce"]?.string else {
      return IDTokenCheckResult(.nonce, passed: false, reason: "“nonce” is missing, though one was sent")
    }
    let passed = ConstantTime.equal(found, wanted)
    return IDTokenCheckResult(
      .nonce, passed: passed, reason: passed ? "the one that was sent" : "not the one that was sent")
  }

  /// The left half of SHA-256 of the value, which both accepted algorithms use (§3.1.3.6).
  private func hash(_ name: String, _ check: IDTokenCheckResult.Check, of secret: Secret?) -> IDTokenCheckResult? {
    guard let claim = claims[name] else { return nil }
    guard let secret else { return nil }
    let digest = Array(SHA256.hash(data: Array(secret.reveal().utf8)))
    let passed = claim.string == Base64URL.encode(digest[..<16])
    return IDTokenCheckResult(
      check, passed: passed,
      reason: passed ? "belongs to this \(secret.kind.rawValue)" : "of another \(secret.kind.rawValue)")
  }

  private var authenticationTime: IDTokenCheckResult? {
    guard let maxAge = expected.maxAge else { return nil }
    guard let signedIn = moment("auth_time") else {
      return IDTokenCheckResult(
        .authenticationTime, passed: false, reason: "max_age was asked for and “auth_time” is missing")
    }
    let passed = expected.now - signedIn <= maxAge + expected.skew
    return IDTokenCheckResult(
      .authenticationTime, passed: passed,
      reason: "signed in \(signedIn.rfc3339()), at most \(maxAge.components.seconds) s ago was asked for")
  }
}
