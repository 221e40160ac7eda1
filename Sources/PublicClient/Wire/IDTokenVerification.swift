import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections
import RunTrace

/// A validator for ID tokens. If a token references an unknown key, the validator fetches the provider's keys again.
struct IDTokenVerification: Sendable {
  let providers: ProviderMetadataCache
  let trace: TraceRecorder

  /// Validates the ID token from a sign-in. The response must contain an ID token, because the request contains
  /// `openid` (OpenID Connect Core §3.1.3.3).
  func checkRequired(
    in tokens: TokenResponse, of metadata: ProviderMetadata, headers: HTTPFields,
    expecting expected: IDTokenValidationParameters
  ) async throws(MSALError) -> ValidatedIDToken {
    guard let idToken = tokens.idToken else {
      throw MSALError(.serverInvalidResponse, "the token response does not contain the ID token for the `openid` scope")
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
        traceResults(token.results, "accepted", "all checks passed")
        return token
      } catch {
        guard let keyID = error.unknownKeyID, !hasFetchedAgain else {
          traceResults(error.results, "rejected", error.explanation)
          throw MSALError(.serverInvalidResponse, error.explanation)
        }
        trace.recordDecision(
          "signingKey", "refetched", reason: "the token references the unknown key \(keyID)")
      }
      keys = try await providers.keys(of: metadata, headers: headers, fresh: true)
      hasFetchedAgain = true
    }
  }

  private func traceResults(_ results: [IDTokenCheckResult], _ decision: String, _ reason: String) {
    let checks = results.map { result in
      TraceValue.fields([
        "check": .value(.string(result.check.rawValue)), "passed": .value(.bool(result.passed)),
        "reason": .value(.string(result.reason)),
      ])
    }
    trace.recordDecision("idToken", decision, reason: reason, ["checks": .list(checks)])
  }
}
