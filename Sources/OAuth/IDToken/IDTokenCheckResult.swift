/// The result of one ID token check.
package struct IDTokenCheckResult: Hashable, Sendable {
  package enum Check: String, Hashable, Sendable, CaseIterable {
    case form, signature, issuer, subject, audience, authorizedParty, expiry, notBefore, issuedAt, nonce
    case accessTokenHash, codeHash, authenticationTime
  }

  package var check: Check
  package var passed: Bool
  /// The actual value and, if it differs, the expected value.
  package var reason: String

  package init(_ check: Check, passed: Bool, reason: String) {
    self.check = check
    self.passed = passed
    self.reason = reason
  }
}
