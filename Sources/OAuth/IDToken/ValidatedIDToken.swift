import Documents
import Effects
import RunTrace

/// An ID token with a valid signature and valid claims. Only `check` creates instances.
package struct ValidatedIDToken: Sendable {
  package let raw: Secret
  package let claims: JSON
  /// The results of all checks, in order. Every check passed.
  package let results: [IDTokenCheckResult]

  /// Validates an ID token (OpenID Connect Core §3.1.3.7). Runs all checks, so that the trace shows every error. If the
  /// signature is not valid, skips the claim checks.
  package static func check(
    _ raw: Secret, keys: JWKSet, expecting expected: IDTokenValidationParameters
  ) throws(IDTokenValidationError) -> ValidatedIDToken {
    let token: UnverifiedJWT
    do {
      token = try UnverifiedJWT(parsing: raw.reveal())
    } catch {
      throw IDTokenValidationError(
        results: [IDTokenCheckResult(.form, passed: false, reason: error.reason)], unknownKeyID: nil)
    }
    // A token with a different explicit type is not an ID token (RFC 8725 §3.11).
    if let type = token.header["typ"]?.string?.lowercased(), type.hasSuffix("+jwt") {
      throw IDTokenValidationError(
        results: [IDTokenCheckResult(.form, passed: false, reason: "the token type is `\(type)`")],
        unknownKeyID: nil)
    }
    var results: [IDTokenCheckResult] = []
    do {
      let key = try keys.verify(token)
      results.append(
        IDTokenCheckResult(
          .signature, passed: true,
          reason: "\(token.header["alg"]?.string ?? "") with the provider's key \(key.keyID ?? "without an ID")"))
      if let issuer = key.issuer, !Self.issuer(issuer, covers: token.claims) {
        results.append(IDTokenCheckResult(.issuer, passed: false, reason: "the key is valid only for \(issuer)"))
      }
    } catch {
      let unknown: String? = if case .unknownKey(let keyID, nil) = error { keyID } else { nil }
      throw IDTokenValidationError(
        results: [IDTokenCheckResult(.signature, passed: false, reason: error.explanation)], unknownKeyID: unknown)
    }
    results += IDTokenClaimValidation(claims: token.claims, expected: expected).results
    guard results.allSatisfy(\.passed) else { throw IDTokenValidationError(results: results, unknownKeyID: nil) }
    return ValidatedIDToken(raw: raw, claims: token.claims, results: results)
  }

  private init(raw: Secret, claims: JSON, results: [IDTokenCheckResult]) {
    self.raw = raw
    self.claims = claims
    self.results = results
  }

  /// Whether a key may sign a token with these claims. Entra's key sets can restrict a key to an issuer.
  private static func issuer(_ keyIssuer: String, covers claims: JSON) -> Bool {
    guard let issuer = claims["iss"]?.string else { return false }
    guard keyIssuer.containsUTF8(ProviderMetadata.tenantPlaceholder) else { return issuer == keyIssuer }
    return issuer == keyIssuer.replacing(ProviderMetadata.tenantPlaceholder, with: claims["tid"]?.string ?? "")
  }
}

/// An ID token that failed validation.
package struct IDTokenValidationError: Error, Hashable, Sendable {
  /// The results of all checks, in order. At least one failed.
  package var results: [IDTokenCheckResult]
  /// The `kid` that is missing from the key set. The provider may have rotated its keys, so the client may fetch the
  /// key set once more.
  package var unknownKeyID: String?

  package init(results: [IDTokenCheckResult], unknownKeyID: String?) {
    self.results = results
    self.unknownKeyID = unknownKeyID
  }

  /// The first check that failed, with its reason.
  package var explanation: String {
    guard let failed = results.first(where: { !$0.passed }) else { return "invalid ID token" }
    return "invalid ID token, \(failed.check.rawValue): \(failed.reason)"
  }
}
