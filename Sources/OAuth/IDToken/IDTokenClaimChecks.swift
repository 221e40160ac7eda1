import Crypto
import Documents
import Effects
import RunTrace

/// The checks of OpenID Connect Core §3.1.3.7 on claims, each by itself. Those whose claim is optional and absent give
/// no verdict.
struct IDTokenClaimChecks {
  let claims: JSON
  let expected: IDTokenExpectation

  var verdicts: [IDTokenVerdict] {
    [
      issuer, subject, audience, authorizedParty, expiry, notBefore, issuedAt, nonce,
      hash("at_hash", .accessTokenHash, of: expected.accessToken), hash("c_hash", .codeHash, of: expected.code),
      authenticationTime,
    ].compactMap { $0 }
  }

  private var issuer: IDTokenVerdict {
    let placeholder = ProviderMetadata.tenantPlaceholder
    var wanted = expected.issuer
    if wanted.holds(placeholder) {
      guard let tenant = claims["tid"]?.string, UUIDText.isValid(tenant) else {
        return IDTokenVerdict(.issuer, passed: false, why: "the issuer depends on “tid”, which is missing or no GUID")
      }
      wanted = wanted.replacing(placeholder, with: tenant)
    }
    guard let found = claims["iss"]?.string else {
      return IDTokenVerdict(.issuer, passed: false, why: "“iss” is missing")
    }
    return IDTokenVerdict(
      .issuer, passed: found == wanted, why: found == wanted ? found : "\(found) is not \(wanted)")
  }

  private var subject: IDTokenVerdict {
    guard let found = claims["sub"]?.string, !found.isEmpty else {
      return IDTokenVerdict(.subject, passed: false, why: "“sub” is missing")
    }
    guard let wanted = expected.subject else { return IDTokenVerdict(.subject, passed: true, why: found) }
    return IDTokenVerdict(
      .subject, passed: found == wanted,
      why: found == wanted ? "the same as before" : "\(found) is somebody else than \(wanted)")
  }

  private var audiences: [String]? {
    switch claims["aud"] {
    case .string(let one): [one]
    case .array(let many): many.compactMap(\.string).count == many.count ? many.compactMap(\.string) : nil
    default: nil
    }
  }

  private var audience: IDTokenVerdict {
    guard let audiences, !audiences.isEmpty else {
      return IDTokenVerdict(.audience, passed: false, why: "“aud” is missing")
    }
    let passed = audiences.contains(expected.clientID)
    let found = audiences.joined(separator: ", ")
    return IDTokenVerdict(
      .audience, passed: passed,
      why: passed ? "the client \(expected.clientID)" : "\(found) is not \(expected.clientID)")
  }

  private var authorizedParty: IDTokenVerdict? {
    guard let party = claims["azp"] else {
      guard let audiences, audiences.count > 1 else { return nil }
      return IDTokenVerdict(.authorizedParty, passed: false, why: "there are several audiences and no “azp”")
    }
    let passed = party.string == expected.clientID
    return IDTokenVerdict(
      .authorizedParty, passed: passed,
      why: passed ? "the client" : "\(party.string ?? "no text") is not \(expected.clientID)")
  }

  private func moment(_ name: String) -> Instant? {
    guard let number = claims[name]?.number, number.isFinite, abs(number) < 1e12 else { return nil }
    return Instant(secondsSince1970: Int64(number.rounded(.down)))
  }

  private var expiry: IDTokenVerdict {
    guard let end = moment("exp") else { return IDTokenVerdict(.expiry, passed: false, why: "“exp” is missing") }
    let passed = expected.now < end + expected.skew
    return IDTokenVerdict(
      .expiry, passed: passed, why: "\(passed ? "ends" : "ended") \(end.rfc3339()), now \(expected.now.rfc3339())")
  }

  private var notBefore: IDTokenVerdict? {
    guard claims["nbf"] != nil else { return nil }
    guard let start = moment("nbf") else { return IDTokenVerdict(.notBefore, passed: false, why: "“nbf” is no number") }
    let passed = start <= expected.now + expected.skew
    return IDTokenVerdict(
      .notBefore, passed: passed,
      why: "\(passed ? "began" : "begins") \(start.rfc3339()), now \(expected.now.rfc3339())")
  }

  private var issuedAt: IDTokenVerdict {
    guard let issued = moment("iat") else { return IDTokenVerdict(.issuedAt, passed: false, why: "“iat” is missing") }
    let passed = issued <= expected.now + expected.skew
    return IDTokenVerdict(
      .issuedAt, passed: passed,
      why: "issued \(issued.rfc3339())\(passed ? "" : ", after now \(expected.now.rfc3339())")")
  }

  private var nonce: IDTokenVerdict? {
    guard case .mustEqual(let wanted) = expected.nonce else { return nil }
    guard let found = claims["nonce"]?.string else {
      return IDTokenVerdict(.nonce, passed: false, why: "“nonce” is missing, though one was sent")
    }
    let passed = ConstantTime.equal(found, wanted)
    return IDTokenVerdict(.nonce, passed: passed, why: passed ? "the one that was sent" : "not the one that was sent")
  }

  /// The left half of SHA-256 of the value, which both accepted algorithms use (§3.1.3.6).
  private func hash(_ name: String, _ check: IDTokenVerdict.Check, of secret: Secret?) -> IDTokenVerdict? {
    guard let claim = claims[name] else { return nil }
    guard let secret else { return nil }
    let digest = Array(SHA256.hash(data: Array(secret.reveal().utf8)))
    let passed = claim.string == Base64URL.encode(digest[..<16])
    return IDTokenVerdict(
      check, passed: passed,
      why: passed ? "belongs to this \(secret.kind.rawValue)" : "of another \(secret.kind.rawValue)")
  }

  private var authenticationTime: IDTokenVerdict? {
    guard let maxAge = expected.maxAge else { return nil }
    guard let signedIn = moment("auth_time") else {
      return IDTokenVerdict(.authenticationTime, passed: false, why: "max_age was asked for and “auth_time” is missing")
    }
    let passed = expected.now - signedIn <= maxAge + expected.skew
    return IDTokenVerdict(
      .authenticationTime, passed: passed,
      why: "signed in \(signedIn.rfc3339()), at most \(maxAge.components.seconds) s ago was asked for")
  }
}
