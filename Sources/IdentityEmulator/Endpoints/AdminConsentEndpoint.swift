import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// `/{tenant}/adminconsent` and `/{tenant}/v2.0/adminconsent`: an administrator consents for everybody.
///
/// It is a sign-in with `prompt=admin_consent`; its end is told in parameters of its own.
enum AdminConsentEndpoint {
  static func answer(
    _ exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    if !isVersion1, realm.kind == .common {
      return ErrorPage.answer(
        ErrorResponse(90010, "Admin consent is for one organization: use its own endpoint, or /organizations.").onPage,
        to: exchange)
    }
    var parameters = exchange.parameters
    parameters.set("response_type", "code")
    parameters.set("prompt", "admin_consent")
    let scope = parameters["scope"] ?? "https://graph.microsoft.com/.default"
    parameters.set("scope", scope)
    parameters.set(SignIn.adminConsentMark, isVersion1 ? "1" : "2")
    do {
      let request = try platform.authorizeRequest(parameters, realm: realm, host: exchange.host, isVersion1: false)
      let flow = SignInFlow(
        parameters: parameters, prefix: realm.prefix, startedAt: exchange.now,
        binding: BrowserBinding(exchange, randomness: platform.randomness).value)
      var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
      return signIn.advance()
    } catch {
      switch error {
      case .page(let refusal): return ErrorPage.answer(refusal, to: exchange)
      case .redirect(let refusal, let address):
        return AuthorizeResponse.refuse(refusal, to: address, exchange: exchange)
      }
    }
  }
}

extension SignIn {
  static let adminConsentMark = "authflow_admin_consent"

  /// `1` or `2` for the version of the admin consent endpoint that this sign-in began at; nil for any other.
  var adminConsentVersion: String? { request.prompt == "admin_consent" ? flow.parameters[Self.adminConsentMark] : nil }

  /// The end of an administrator's consent, good or bad.
  func answerAdminConsent(tenantID: String) -> ResponseMessage {
    var parameters: Parameters = ["admin_consent": "True", "tenant": tenantID]
    if adminConsentVersion == "2" {
      parameters.append(
        "scope", namedItems().map { "\($0.resource.uri)/\($0.name)" }.joined(separator: " "))
    }
    return AuthorizeResponse.answer(parameters, to: request.address, exchange: exchange, withHash: false)
  }
}
