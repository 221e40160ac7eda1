import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections
import RunTrace

/// Has an ID token checked in full, fetching the provider's keys again, once, where the token names one that is not known.
struct IDTokenVerification: Sendable {
  let providers: ProviderMetadataCache
  let trace: TraceRecorder

  /// After signing in there must be an ID token, since OpenID Connect was asked for.
  func checkRequired(
    in tokens: TokenResponse, of metadata: ProviderMetadata, headers: HTTPFields,
    expecting expected: IDTokenValidationParameters
  ) async throws(MSALError) -> ValidatedIDToken {
    guard let idToken = tokens.idToken else {
      throw MSALError(.serverInvalidResponse, "the answer has no ID token, though openid was asked for")
    }
    return try await check(idToken, of: metadata, headers: headers, expecting: expected)
  }

  func check(
    _ idToken: Secret, of metadata: ProviderMetadata, headers: HTTPFields,
    expecting expected: IDTokenValidationParameters
  ) async throws(MSALError) -> ValidatedIDToken {
    var keys = try await providers.keys(of: metadata, headers: headers, fresh: false)
    var hasFetchedAgain = false
    while true {
      do throws(IDTokenValidationError) {
        let token = try ValidatedIDToken.check(idToken, keys: keys, expecting: expected)
        tell(token.verdicts, "accepted", "every check passed")
        return token
      } catch {
        guard let keyID = error.unknownKeyID, !hasFetchedAgain else {
          tell(error.verdicts, "refused", error.explanation)
          throw MSALError(.serverInvalidResponse, error.explanation)
        }
        trace.recordDecision(
          "signingKey", "fetch again", reason: "the token names the key \(keyID), which is not among the known ones")
      }
      keys = try await providers.keys(of: metadata, headers: headers, fresh: true)
      hasFetchedAgain = true
    }
  }

  private func tell(_ verdicts: [IDTokenCheckResult], _ outcome: String, _ reason: String) {
    let checks = verdicts.map { verdict in
      TraceValue.fields([
        "check": .value(.string(verdict.check.rawValue)), "passed": .value(.bool(verdict.passed)),
        "reason": .value(.string(verdict.reason)),
      ])
    }
    trace.recordDecision("idToken", outcome, reason: reason, ["checks": .list(checks)])
  }
}
