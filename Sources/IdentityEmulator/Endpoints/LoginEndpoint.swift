import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// `/{tenant}/login`: receives form submissions from the sign-in pages.
enum LoginEndpoint {
  /// The maximum time between the start of a sign-in and the submission of a page.
  static let pageLifetime = Duration.seconds(3600)

  static func response(to exchange: EmulatorRequest, _ platform: Platform, realm: Realm) -> ResponseMessage {
    guard exchange.method == .post else { return HomeEndpoint.response(to: exchange, platform) }
    guard let flow = exchange.form["flow"].flatMap({ SignInFlow(OpaqueTokenCipher.open($0, for: .signInFlow)) }),
      flow.prefix == realm.prefix, exchange.now - flow.startedAt <= pageLifetime
    else { return ErrorPage.response(for: ErrorResponse(50089), to: exchange) }
    // Only the browser that received a page can submit it.
    guard let cookie = SessionCookies.value(SessionCookies.binding, on: exchange),
      ConstantTime.equal(cookie, flow.binding)
    else {
      return ErrorPage.response(
        for:
          ErrorResponse(50089, "The browser did not send the sign-in cookie; it may block cookies."),
        to: exchange)
    }
    let request: AuthorizeRequest
    do {
      request = try platform.authorizeRequest(
        flow.parameters, realm: realm, host: exchange.host, isVersion1: flow.isVersion1, isDevice: flow.userCode != nil)
    } catch {
      switch error {
      case .page(let errorResponse): return ErrorPage.response(for: errorResponse, to: exchange)
      case .redirect(let errorResponse, let address):
        return AuthorizeResponse.sendError(errorResponse, to: address, exchange: exchange)
      }
    }
    var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
    do {
      try signIn.handle(exchange.form)
    } catch {
      return signIn.response(to: error)
    }
    return signIn.advance()
  }
}

extension SignIn {
  /// Passes a submitted form to the step that showed the page.
  fileprivate mutating func handle(_ form: Parameters) throws(Interruption) {
    if form["resume"] != nil { return try resume() }
    if form["cancel"] != nil {
      if flow.screen == .adminApproval {
        throw .error(ErrorResponse(65004, "The user declined to consent to the app."))
      }
      throw .canceled
    }
    switch flow.screen {
    case .pickAccount: try handlePicker(form)
    case .username: if isReset { try handleReset(form) } else { try handleUsername(form) }
    case .password: try handlePasswordPage(form)
    case .mfa: try handleFactor(form)
    case .staySignedIn: handleStaySignedIn(form)
    case .consent: try handleConsent(form)
    case .adminApproval: try handleApproval(form)
    case .changePassword: try handleNewPassword(form)
    case .signUp: try handleSignUp(form)
    default: throw .error(ErrorResponse(50089))
    }
  }

  private var isReset: Bool { isB2C && policyName.contains("passwordreset") }
}
