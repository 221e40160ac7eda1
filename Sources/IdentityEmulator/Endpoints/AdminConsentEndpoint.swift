import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth

/// `/{tenant}/adminconsent` and `/{tenant}/v2.0/adminconsent`: lets an administrator consent for the whole tenant.
///
/// The request is processed as a sign-in with `prompt=admin_consent`, but the response has different parameters.
enum AdminConsentEndpoint {
  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    if !isVersion1, realm.kind == .common {
      return ErrorPage.response(
        for:
          ErrorResponse(
            90010,
            "Admin consent is not supported on the /common endpoint; use the tenant's endpoint or /organizations."
          ).asPage,
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
      case .page(let errorResponse): return ErrorPage.response(for: errorResponse, to: exchange)
      case .redirect(let errorResponse, let address):
        return AuthorizeResponse.sendError(errorResponse, to: address, exchange: exchange)
      }
    }
  }
}

extension SignIn {
  static let adminConsentMark = "authflow_admin_consent"

  /// The version of the admin consent endpoint, `1` or `2`, or nil for other sign-ins.
  var adminConsentVersion: String? { request.prompt == "admin_consent" ? flow.parameters[Self.adminConsentMark] : nil }

  /// Returns the response to the app after an administrator's consent.
  func adminConsentResponse(tenantID: String) -> ResponseMessage {
    var parameters: Parameters = ["admin_consent": "True", "tenant": tenantID]
    if adminConsentVersion == "2" {
      parameters.append(
        "scope", namedItems().map { "\($0.resource.uri)/\($0.name)" }.joined(separator: " "))
    }
    return AuthorizeResponse.send(parameters, to: request.address, exchange: exchange, withHash: false)
  }
}
