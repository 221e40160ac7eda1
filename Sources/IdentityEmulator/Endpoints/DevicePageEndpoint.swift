import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `https://microsoft.com/devicelogin`, or `/devicelogin` of a served emulator: the page for the code of a device.
///
/// Entra redirects from there to `/common/oauth2/deviceauth` of its login host, which has the session's cookies.
enum DevicePageEndpoint {
  /// The page's path at the host of the request.
  static func path(_ exchange: EmulatorRequest) -> String {
    HostKind(exchange.host) == nil ? "/devicelogin" : "/common/oauth2/deviceauth"
  }

  static func answer(_ exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    if HostKind(exchange.host) == .devicePage {
      let suffix = exchange.query["user_code"].map { "?user_code=" + FormCoding.percentEncode($0) } ?? ""
      return ResponseBuilder.redirect(to: exchange.loginBase + "/common/oauth2/deviceauth" + suffix, from: exchange)
    }
    let path = path(exchange)
    guard exchange.method == .post else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: exchange.query["user_code"] ?? exchange.query["otc"])
    }
    // Another site's page may not type a code here: its device would be let in by whoever is signed in.
    guard BrowserBinding.isOwnForm(exchange) else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil,
        complaint: ErrorResponse(
          50089, "That did not come from this page; cookies may be blocked. Enter the code here."))
    }
    if exchange.form["cancel"] != nil {
      return DevicePages.done("You have cancelled the sign-in. You may now close this window.", exchange: exchange)
    }
    let typed = (exchange.form["user_code"] ?? "").trimmingSpaces().uppercased().filter { $0 != "-" && $0 != " " }
    let found = platform.withState { state in state.devices.values.first { $0.userCode == typed } }
    guard let device = found, device.outcome == .pending else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil,
        complaint: ErrorResponse(70018, "That code didn’t work. Check the code and try again."))
    }
    guard device.expires > exchange.now else {
      return DevicePages.enterCode(
        exchange, platform, path: path, prefilled: nil, complaint: ErrorResponse(70019, "That code has expired."))
    }
    return signIn(device, exchange, platform)
  }

  /// The sign-in itself is the usual one, with a device at its end instead of a redirect.
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
      case .success(let good): request = good
      case .failure(.page(let refusal)), .failure(.redirect(let refusal, _)): throw refusal
      }
    } catch {
      return ErrorPage.answer(error, to: exchange)
    }
    var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
    return signIn.advance()
  }
}

extension SignIn {
  /// Stands where a redirect URI would; nothing is ever sent there.
  static let deviceRedirect = "urn:authflow:device"
}
