import Effects
import IdentityPlatform
import OAuth
import RunTrace

/// How a visit to the sign-in page ended, judged: only a redirect that is checked leads on.
struct RedirectResponse {
  let outcome: BrowserOutcome
  let request: AuthorizeRequest
  let metadata: ProviderMetadata
  let trace: TraceRecorder

  func checked() throws(MSALError) -> ValidatedRedirect {
    switch outcome.ending {
    case .redirected(let url):
      if let error = DeviceRedirect.error(for: url) {
        trace.recordDecision("redirect", "for the device", reason: error.message)
        throw error
      }
      return try check(url)
    case .closed(let reason): throw MSALError(.userCancel, "the sign-in page was closed: \(reason)")
    case .finished: throw MSALError(.userCancel, "the sign-in page led nowhere and was closed")
    case .unavailable(let reason):
      throw MSALError(.noMainViewController, "the sign-in page cannot be shown: \(reason)")
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
      case .stateMissing, .stateMismatch: throw refused(.serverInvalidState, error)
      case .repeated, .issuerMissing, .issuerMismatch, .neitherCodeNorError:
        throw refused(.serverInvalidResponse, error)
      case .refused(let oauth):
        var refusal = ErrorMapping.error(oauth, at: .authorizeRedirect)
        refusal.suberrorDescription = ValidatedRedirect.parameters(of: url)["suberror_description"]
        throw refusal
      }
    }
  }

  private func refused(_ code: IdentityCoreError, _ refusal: RedirectValidationError) -> MSALError {
    trace.recordDecision("redirect", "refused", reason: refusal.explanation)
    return MSALError(code, refusal.explanation)
  }
}
