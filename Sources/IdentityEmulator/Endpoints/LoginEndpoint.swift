import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// `/{tenant}/login`: what the pages of a sign-in send back.
enum LoginEndpoint {
  /// How long a page may lie around.
  private static let patience = Duration.seconds(3600)

  static func answer(_ exchange: EmulatorRequest, _ platform: Platform, realm: Realm) -> ResponseMessage {
    guard exchange.method == .post else { return HomeEndpoint.answer(exchange, platform) }
    guard let flow = exchange.form["flow"].flatMap({ SignInFlow(OpaqueTokenCipher.open($0, for: .signInFlow)) }),
      flow.prefix == realm.prefix, exchange.now - flow.startedAt <= patience
    else { return ErrorPage.answer(ErrorResponse(50089), to: exchange) }
    // A page that another browser was given cannot be submitted here.
    guard let cookie = SessionCookies.value(SessionCookies.binding, on: exchange),
      ConstantTime.equal(cookie, flow.binding)
    else {
      return ErrorPage.answer(
        ErrorResponse(50089, "The browser did not send the sign-in's cookie back; cookies may be blocked."),
        to: exchange)
    }
    let request: AuthorizeRequest
    do {
      request = try platform.authorizeRequest(
        flow.parameters, realm: realm, host: exchange.host, isVersion1: flow.isVersion1, isDevice: flow.userCode != nil)
    } catch {
      switch error {
      case .page(let refusal): return ErrorPage.answer(refusal, to: exchange)
      case .redirect(let refusal, let address):
        return AuthorizeResponse.refuse(refusal, to: address, exchange: exchange)
      }
    }
    var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
    do {
      try signIn.take(exchange.form)
    } catch {
      return signIn.answer(error)
    }
    return signIn.advance()
  }
}

extension SignIn {
  /// Gives what a page sent back to the step that showed it.
  fileprivate mutating func take(_ form: Parameters) throws(Interruption) {
    if form["cancel"] != nil {
      if flow.screen == .adminApproval {
        throw .refusal(ErrorResponse(65004, "User declined to consent to access the app."))
      }
      throw .cancelled
    }
    switch flow.screen {
    case .pickAccount: try takePicker(form)
    case .username: if isReset { try takeReset(form) } else { try takeUsername(form) }
    case .password: try takePasswordPage(form)
    case .mfa: try takeFactor(form)
    case .staySignedIn: takeStay(form)
    case .consent: try takeConsent(form)
    case .adminApproval: try takeApproval(form)
    case .changePassword: try takeNewPassword(form)
    case .signUp: try takeSignUp(form)
    default: throw .refusal(ErrorResponse(50089))
    }
  }

  private var isReset: Bool { isB2C && policyName.contains("passwordreset") }
}
