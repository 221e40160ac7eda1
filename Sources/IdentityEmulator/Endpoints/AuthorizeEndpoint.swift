import Documents
import Effects
import HTTPTypes
import OAuth
import OrderedCollections

/// `/{tenant}/oauth2/v2.0/authorize`: starts a sign-in (RFC 6749 §3.1).
enum AuthorizeEndpoint {
  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    guard exchange.method == .get || exchange.method == .post else {
      return ResponseBuilder.text("Method not allowed.", status: .methodNotAllowed, to: exchange)
    }
    let parameters = exchange.parameters
    let request: AuthorizeRequest
    do {
      request = try platform.authorizeRequest(parameters, realm: realm, host: exchange.host, isVersion1: isVersion1)
    } catch {
      switch error {
      case .page(let errorResponse): return ErrorPage.response(for: errorResponse, to: exchange)
      case .redirect(let errorResponse, let address):
        return AuthorizeResponse.sendError(errorResponse, to: address, exchange: exchange)
      }
    }
    exchange.decisionLog.record(request, platform)
    if platform.isLooping(exchange, parameters) {
      return AuthorizeResponse.sendError(ErrorResponse(50196), to: request.address, exchange: exchange)
    }
    var flow = SignInFlow(
      parameters: parameters, prefix: realm.prefix, startedAt: exchange.now,
      binding: BrowserBinding(exchange, randomness: platform.randomness).value)
    flow.isVersion1 = isVersion1
    var signIn = SignIn(platform: platform, exchange: exchange, flow: flow, request: request)
    return signIn.advance()
  }
}

extension DecisionLog {
  /// Records the checks that a valid authorization request has passed.
  fileprivate func record(_ request: AuthorizeRequest, _ platform: Platform) {
    check("client", platform.description(of: request.client))
    check("redirect URI", "\(request.address.uri.prefix { $0 != "?" }) is registered")
    check("scopes", request.scopeText)
    check("PKCE", request.challenge == nil ? "not used" : "code challenge received")
  }
}

extension Platform {
  private static let loopLimit = 15
  private static let loopWindow = Duration.seconds(300)

  /// Whether the same browser has sent the same request more than 15 times within 5 minutes.
  func isLooping(_ exchange: EmulatorRequest, _ parameters: Parameters) -> Bool {
    guard let session = SessionCookies.value(SessionCookies.session, on: exchange) else { return false }
    var fixed = parameters
    for name in ["state", "nonce", "code_challenge", "client-request-id"] { fixed.remove(name) }
    return isLooping(FormCoding.serialize(fixed), by: sessionKey(session), at: exchange.now)
  }

  /// Whether a sender has sent the same request more than 15 times within 5 minutes, including this one.
  func isLooping(_ request: String, by sender: String, at now: Instant) -> Bool {
    let key = OpaqueTokenCipher.pseudonym("loop", request, sender)
    return withState { state in
      var times = (state.recentRequests[key] ?? []).filter { now - $0 < Self.loopWindow }
      times.append(now)
      state.recentRequests[key] = Array(times.suffix(Self.loopLimit + 1))
      if state.recentRequests.count > 1000 { state.recentRequests.removeFirst(500) }
      return times.count > Self.loopLimit
    }
  }

  /// Returns the session ID from the cookie. The cookie cannot be the key, because each encryption produces a different
  /// result.
  private func sessionKey(_ cookie: String) -> String {
    OpaqueTokenCipher.open(cookie, for: .browserSession)?["id"]?.string ?? ""
  }
}
