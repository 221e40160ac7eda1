import Effects
import IdentityPlatform
import OAuth

/// How a visit to the sign-in page ended, judged: only a redirect that is checked leads on.
struct RedirectResponse {
  private let outcome: BrowserOutcome
  private let request: AuthorizeRequest
  private let issuer: String?

  init(_ outcome: BrowserOutcome, request: AuthorizeRequest, issuer: String?) {
    self.outcome = outcome
    self.request = request
    self.issuer = issuer
  }

  func checked() throws(MSALError) -> CheckedRedirect {
    switch outcome.ending {
    case .redirected(let url):
      if let error = DeviceRedirect.error(for: url) { throw error }
      return try check(url)
    case .closed(let reason): throw MSALError(.userCancel, "the sign-in page was closed: \(reason)")
    case .finished: throw MSALError(.userCancel, "the sign-in page led nowhere and was closed")
    case .unavailable(let reason):
      throw MSALError(.noMainViewController, "the sign-in page cannot be shown: \(reason)")
    case .failed(let failure): throw MSALError(failure)
    }
  }

  private func check(_ url: String) throws(MSALError) -> CheckedRedirect {
    do throws(RedirectRefusal) {
      return try CheckedRedirect.check(url, state: .mustEqual(request.state), issuer: issuer)
    } catch {
      switch error {
      case .stateMissing, .stateMismatch: throw MSALError(.serverInvalidState, error.explanation)
      case .issuerMissing, .issuerMismatch, .neitherCodeNorError:
        throw MSALError(.serverInvalidResponse, error.explanation)
      case .refused(let oauth): throw ErrorMapping.error(oauth, at: .authorizeRedirect)
      }
    }
  }
}

/// Redirects that tell an app with a broker to do something: without one, all of them are errors.
enum DeviceRedirect {
  static func error(for url: String) -> MSALError? {
    let reference = URLReference(url)
    let host = reference.host ?? ""
    let isDevicePage = reference.scheme?.lowercased() == "https" && reference.path.lowercased() == "/msauth/wpj"
    let parameters = reference.parameters
    switch (reference.scheme?.lowercased(), host) {
    case ("msauth", "wpj"): return workplaceJoin(parameters)
    case ("msauth", "upgradereg"):
      return MSALError(.insufficientDeviceStrength, "the device's registration must be made stronger")
    case ("browser", _): return MSALError(.userCancel, "the page asks to go on in a browser, at https://\(host)")
    default: return isDevicePage ? workplaceJoin(parameters) : nil
    }
  }

  private static func workplaceJoin(_ parameters: Parameters) -> MSALError {
    var error = MSALError(.workplaceJoinRequired, "the device must be registered with the organisation")
    error.displayableUserID = parameters["username"]
    error.homeAccountID = parameters["client_info"].flatMap { try? ClientInfo(encoded: $0) }?.homeAccountID
    return error
  }
}
