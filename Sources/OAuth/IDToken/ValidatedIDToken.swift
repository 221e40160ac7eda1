import Documents
import Effects
import RunTrace

/// An ID token whose signature and claims were all found right. There is no other way to make one.
package struct ValidatedIDToken: Sendable {
  package let raw: Secret
  package let claims: JSON
  /// What was checked, in order; all passed.
  package let verdicts: [IDTokenCheckResult]

  /// Checks everything and stops at nothing, so that the trace can tell all that is wrong; where the signature is not
  /// believed, the claims are not looked at.
  package static func check(
    _ raw: Secret, keys: JWKSet, expecting expected: IDTokenValidationParameters
  ) throws(IDTokenValidationError) -> ValidatedIDToken {
    let token: UnverifiedJWT
    do {
      token = try UnverifiedJWT(parsing: raw.reveal())
    } catch {
      throw IDTokenValidationError(
        verdicts: [IDTokenCheckResult(.form, passed: false, reason: error.reason)], unknownKeyID: nil)
    }
    // A token that says it is of another kind is none, whoever signed it (RFC 8725 §3.11).
    if let type = token.header["typ"]?.string?.lowercased(), type.hasSuffix("+jwt") {
      throw IDTokenValidationError(
        verdicts: [IDTokenCheckResult(.form, passed: false, reason: "it is a token of the type \(type)")],
        unknownKeyID: nil)
    }
    var verdicts: [IDTokenCheckResult] = []
    do {
      let key = try keys.verify(token)
      verdicts.append(
        IDTokenCheckResult(
          .signature, passed: true,
          reason: "\(token.header["alg"]?.string ?? "") by the provider's key \(key.keyID ?? "without a name")"))
      if let owner = key.issuer, !Self.issuer(owner, covers: token.claims) {
        verdicts.append(IDTokenCheckResult(.issuer, passed: false, reason: "the key signs only for \(owner)"))
      }
    } catch {
      let unknown: String? = if case .unknownKey(let keyID, nil) = error { keyID } else { nil }
      throw IDTokenValidationError(
        verdicts: [IDTokenCheckResult(.signature, passed: false, reason: error.explanation)], unknownKeyID: unknown)
    }
    verdicts += IDTokenClaimValidation(claims: token.claims, expected: expected).verdicts
    guard verdicts.allSatisfy(\.passed) else { throw IDTokenValidationError(verdicts: verdicts, unknownKeyID: nil) }
    return ValidatedIDToken(raw: raw, claims: token.claims, verdicts: verdicts)
  }

  private init(raw: Secret, claims: JSON, verdicts: [IDTokenCheckResult]) {
    self.raw = raw
    self.claims = claims
    self.verdicts = verdicts
  }

  /// Whether a key that Entra's key set reserves for one issuer may sign this token.
  private static func issuer(_ owner: String, covers claims: JSON) -> Bool {
    guard let issuer = claims["iss"]?.string else { return false }
    guard owner.holds(ProviderMetadata.tenantPlaceholder) else { return issuer == owner }
    return issuer == owner.replacing(ProviderMetadata.tenantPlaceholder, with: claims["tid"]?.string ?? "")
  }
}

/// An ID token that must not be believed.
package struct IDTokenValidationError: Error, Hashable, Sendable {
  /// What was checked, in order; at least one did not pass.
  package var verdicts: [IDTokenCheckResult]
  /// The `kid` that the key set lacks: the provider may have changed its keys, so they may be fetched again, once.
  package var unknownKeyID: String?

  package init(verdicts: [IDTokenCheckResult], unknownKeyID: String?) {
    self.verdicts = verdicts
    self.unknownKeyID = unknownKeyID
  }

  /// One sentence naming the first check that failed.
  package var explanation: String {
    guard let failed = verdicts.first(where: { !$0.passed }) else { return "the ID token is not acceptable" }
    return "ID token refused, \(failed.check.rawValue): \(failed.reason)"
  }
}
