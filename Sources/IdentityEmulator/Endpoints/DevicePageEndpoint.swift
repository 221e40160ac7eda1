import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `https://microsoft.com/devicelogin`, or `/devicelogin` on an emulator server: shows the page for entering a user
/// code.
///
/// Like Entra, the endpoint redirects to `/common/oauth2/deviceauth` on the login host, because the session cookies
/// belong to that host.
enum DevicePageEndpoint {
  /// Returns the path of the page on the request's host.
  static func path(_ exchange: EmulatorRequest) -> String {
    HostKind(exchange.host) == nil ? "/devicelogin" : "/common/oauth2/deviceauth"
  }

  static func response(to exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    if HostKind(exchange.host) == .devicePage {
      let suffix = exchange.query["user_code"].map { "?user_code=" + PercentEncoding.encode($0) } ?? ""
      return ResponseBuilder.redirect(to: exchange.loginBase + "/common/oauth2/deviceauth" + suffix, from: exchange)
    }
    let path = path(exchange)
    guard exchange.method == .post else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: exchange.query["user_code"] ?? exchange.query["otc"])
    }
    // A form on another site must not submit a code. Otherwise, the signed-in user could approve an attacker's device.
    guard BrowserBinding.isOwnForm(exchange) else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil,
        problem: ErrorResponse(
          50089, "The form was not sent from this page. Allow cookies, and enter the code again."))
    }
    if exchange.form["cancel"] != nil {
      return DevicePages.done("You canceled the sign-in. You can close this window.", exchange: exchange)
    }
    let input = (exchange.form["user_code"] ?? "").trimmingSpaces().uppercased().filter { $0 != "-" && $0 != " " }
    let match = platform.withState { state in state.devices.values.first { $0.userCode == input } }
    guard let device = match, device.outcome == .pending else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil,
        problem: ErrorResponse(70018, "That code didn’t work. Check the code and try again."))
    }
    guard device.expires > exchange.now else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil, problem: ErrorResponse(70019, "That code has expired."))
    }
    return signIn(device, exchange, platform)
  }

  /// Starts a sign-in that approves the device at the end instead of redirecting to an app.
  private static func signIn(_ device: DeviceSignIn, _ exchange: EmulatorRequest, _ platform: Platform)
    -> ResponseMessage
  {
    let parameters: Parameters = [
      "client_id": device.clientID, "response_type": "code", "scope": device.scope,
      "redirect_uri": SignIn.deviceRedirect,
    ]
    var flow = SignInFlow(
      parameters: parameters, prefix: "/" + device.tenantSegment, startedAt: exchange.now,
      binding: BrowserBinding(exchange, randomness: platform.randomness).value)
    flow.userCode = device.userCode
    let request: AuthorizeRequest
    do throws(ErrorResponse) {
      let realm = try platform.realm(named: device.tenantSegment, host: exchange.host, kind: HostKind(exchange.host))
      switch Result(catching: { () throws(AuthorizeFailure) in
        try platform.authorizeRequest(parameters, realm: realm, host: exchange.host, isVersion1: false, isDevice: true)
      }) {
      case .success(let valid): request = valid
      case .failure(.page(let errorResponse)), .failure(.redirect(let errorResponse, _)): throw errorResponse
      }
    } catch {
      return ErrorPage.response(for: error, to: exchange)
    }
    var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
    return signIn.advance()
  }
}

extension SignIn {
  /// The placeholder redirect URI of device sign-ins. The emulator never redirects to this URI.
  static let deviceRedirect = "urn:authflow:device"
}
