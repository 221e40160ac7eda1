import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// The result of a visit to the sign-in page.
struct RedirectResponse {
  let outcome: BrowserOutcome
  let request: AuthorizeRequest
  let metadata: ProviderMetadata
  let trace: TraceRecorder

  /// Returns the validated redirect.
  /// - Throws: An error if the visit ended without a valid redirect to the app.
  func validated() throws(MSALError) -> ValidatedRedirect {
    switch outcome.result {
    case .redirected(let url):
      if let error = DeviceRedirect.error(for: url) {
        trace.recordDecision("redirect", "device action", reason: error.message)
        throw error
      }
      return try check(url)
    case .closed(let reason): throw MSALError(.userCancel, "the sign-in page was closed: \(reason)")
    case .finished: throw MSALError(.userCancel, "the sign-in page was closed without a redirect to the app")
    case .unavailable(let reason):
      throw MSALError(.noMainViewController, "cannot show the sign-in page: \(reason)")
    case .failed(let failure): throw MSALError(failure)
    }
  }

  private func check(_ url: String) throws(MSALError) -> ValidatedRedirect {
    do throws(RedirectValidationError) {
      return try ValidatedRedirect.check(
        url, state: .mustEqual(request.state), issuer: metadata.issuer,
        issuerIsAnnounced: metadata.sendsIssuerInRedirect)
    } catch {
      switch error {
      case .stateMissing, .stateMismatch: throw rejection(.serverInvalidState, error)
      case .repeated, .issuerMissing, .issuerMismatch, .missingCodeAndError:
        throw rejection(.serverInvalidResponse, error)
      case .oauthError(let oauth):
        var error = ErrorMapping.error(oauth, at: .authorizeRedirect)
        error.suberrorDescription = ValidatedRedirect.parameters(of: url)["suberror_description"]
        throw error
      }
    }
  }

  private func rejection(_ code: IdentityCoreError, _ error: RedirectValidationError) -> MSALError {
    trace.recordDecision("redirect", "rejected", reason: error.explanation)
    return MSALError(code, error.explanation)
  }
}
