import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

extension Platform {
  /// Returns the first active fault that matches this request, and counts it as triggered.
  func nextFault(for route: Route, _ exchange: EmulatorRequest, isolation: String?) -> Fault? {
    let counted = route.counted(exchange)
    return withState { state in
      for index in state.faults.indices where !state.faults[index].isSpent {
        let fault = state.faults[index].fault
        let matches =
          switch fault.at {
          case .endpoint(let endpoint): counted?.rawValue == endpoint.rawValue
          case .request: fault.at.matches(method: exchange.method.rawValue, path: exchange.path)
          }
        guard matches, state.faults[index].isolation == isolation else { continue }
        // If this fault skips the request, the request can still trigger the next fault.
        guard state.faults[index].passed >= fault.skip else {
          state.faults[index].passed += 1
          continue
        }
        state.faults[index].fired += 1
        return fault
      }
      return nil
    }
  }
}

/// An injector that applies a fault to a request. The fault replaces or changes the regular response.
struct FaultInjector: Sendable {
  let fault: Fault
  let route: Route
  let exchange: EmulatorRequest
  let platform: Platform
  /// The client's timeout, or nil if the client closes the connection itself.
  let clientTimeout: Duration?

  func outcome() async -> IdentityPlatformEmulator.Outcome {
    switch fault.effect {
    case .reset: return .failed(.connectionLost("the emulator reset the connection because of a fault"))
    case .tls: return .failed(.tls("the emulator did not complete the TLS handshake because of a fault"))
    case .endless:
      return .endless(await route.response(to: exchange, platform), more: OversizedResponse.filler)
    case .delay(let length):
      if let failure = await wait(length) { return .failed(failure) }
      return .response(await route.response(to: exchange, platform))
    case .truncated:
      return .truncated(await route.response(to: exchange, platform))
    case .html:
      let page =
        "<!DOCTYPE html><html><head><title>Proxy</title></head><body><h1>Proxy sign-in required</h1></body></html>"
      return .response(ResponseBuilder.page(page, to: exchange))
    case .answer(let faultResponse):
      if let delay = faultResponse.delay, let failure = await wait(delay) { return .failed(failure) }
      return .response(await inject(faultResponse))
    }
  }

  /// Waits for the shorter of the fault's delay and the client's timeout.
  /// - Returns: The failure if the client timed out, or nil.
  private func wait(_ length: Duration) async -> TransportFailure? {
    let exceedsTimeout = clientTimeout.map { length > $0 } ?? false
    do {
      try await platform.clock.sleep(for: exceedsTimeout ? clientTimeout ?? length : length)
    } catch {
      return .canceled
    }
    return exceedsTimeout ? ResponseLimit.timeoutFailure(host: exchange.host) : nil
  }

  private func inject(_ faultResponse: Fault.Response) async -> ResponseMessage {
    var response =
      if faultResponse.keepsRealAnswer {
        await route.response(to: exchange, platform)
      } else if let body = faultResponse.body {
        raw(body, status: faultResponse.status ?? 200)
      } else {
        switch route.counted(exchange) {
        case .graph: graphError(faultResponse)
        case .authorize: authorizeError(faultResponse)
        default: if case .api = route { resourceError(faultResponse) } else { oauthError(faultResponse) }
        }
      }
    switch faultResponse.retryAfter {
    case .seconds(let length)?:
      let seconds = length.components.seconds + (length.components.attoseconds > 0 ? 1 : 0)
      response.head.headerFields[.retryAfter] = String(seconds)
    case .date(let text)?: response.head.headerFields[.retryAfter] = text
    case nil: break
    }
    if let type = faultResponse.type { response.head.headerFields[.contentType] = type }
    for (name, value) in faultResponse.headers {
      if let field = HTTPField.Name(name) { response.head.headerFields[field] = value }
    }
    return response
  }

  private func raw(_ body: JSON, status: Int) -> ResponseMessage {
    if let text = body.string { return ResponseBuilder.text(text, status: .init(code: status), to: exchange) }
    return ResponseBuilder.json(body, status: .init(code: status), to: exchange)
  }

  private func errorResponse(_ faultResponse: Fault.Response) -> ErrorResponse {
    let digits = faultResponse.code.map { $0.filter { $0.isASCII && $0.isNumber } } ?? ""
    let isB2C = faultResponse.code?.uppercased().hasPrefix("AADB2C") ?? false
    var errorResponse = ErrorResponse(
      Int(isB2C ? String((faultResponse.code ?? "").dropFirst(6)) : digits) ?? fallbackCode(faultResponse),
      forced: faultResponse.error,
      suberror: faultResponse.suberror, claims: faultResponse.claims)
    errorResponse.isB2C = isB2C
    errorResponse.staysOnPage = false
    if let status = faultResponse.status { errorResponse.status = .init(code: status) }
    return errorResponse
  }

  /// Returns the error code for a fault without a code, depending on the fault's status.
  private func fallbackCode(_ faultResponse: Fault.Response) -> Int {
    switch faultResponse.status {
    case 429?: 90055
    case let status? where status >= 500: 90033
    default: faultResponse.retryAfter != nil && faultResponse.error == nil ? 90055 : 70000
    }
  }

  private func oauthError(_ faultResponse: Fault.Response) -> ResponseMessage {
    errorResponse(faultResponse).response(to: exchange)
  }

  /// Returns a redirect to the app with the error if the redirect URI is valid. For a fault with only a status, returns
  /// a page with that status.
  private func authorizeError(_ faultResponse: Fault.Response) -> ResponseMessage {
    let errorResponse = errorResponse(faultResponse)
    if let status = faultResponse.status, faultResponse.error == nil, faultResponse.code == nil {
      return ResponseBuilder.page(
        PageFrame(screen: .error, title: "Service unavailable", code: nil, content: "<p>Try again later.</p>\n").text,
        status: .init(code: status), to: exchange)
    }
    guard let (realm, rest) = try? platform.realm(of: exchange) else {
      return ErrorPage.response(for: errorResponse, to: exchange)
    }
    let parsed = Result { () throws(AuthorizeFailure) in
      try platform.authorizeRequest(
        exchange.parameters, realm: realm, host: exchange.host, isVersion1: !rest.contains { $0.lowercased() == "v2.0" }
      )
    }
    switch parsed {
    case .success(let request):
      return AuthorizeResponse.sendError(errorResponse, to: request.address, exchange: exchange)
    case .failure(.redirect(_, let address)):
      return AuthorizeResponse.sendError(errorResponse, to: address, exchange: exchange)
    case .failure(.page): return ErrorPage.response(for: errorResponse, to: exchange)
    }
  }

  /// Returns the error response of a custom API, with a challenge if the token is insufficient (RFC 6750 §3).
  private func resourceError(_ faultResponse: Fault.Response) -> ResponseMessage {
    let status =
      faultResponse.status ?? (faultResponse.claims != nil ? 401 : faultResponse.retryAfter != nil ? 429 : 500)
    let body: JSON = [
      "error": .string(faultResponse.error ?? faultResponse.code ?? "fault"),
      "message": "The emulator returned this error because of a fault.",
    ]
    var response = ResponseBuilder.json(body, status: .init(code: status), to: exchange)
    challenge(faultResponse, status, in: &response)
    return response
  }

  private func challenge(_ faultResponse: Fault.Response, _ status: Int, in response: inout ResponseMessage) {
    if let claims = faultResponse.claims {
      response.head.headerFields[.wwwAuthenticate] = BearerChallenge.insufficientClaims(
        claims, base: exchange.loginBase)
    } else if status == 401 {
      response.head.headerFields[.wwwAuthenticate] = BearerChallenge.plain(base: exchange.loginBase)
    }
  }

  private func graphError(_ faultResponse: Fault.Response) -> ResponseMessage {
    let status =
      faultResponse.status ?? (faultResponse.claims != nil ? 401 : faultResponse.retryAfter != nil ? 429 : 500)
    let code =
      faultResponse.error ?? faultResponse.code
      ?? [
        401: "InvalidAuthenticationToken", 403: "Authorization_RequestDenied", 404: "Request_ResourceNotFound",
        429: "TooManyRequests", 503: "serviceNotAvailable",
      ][status] ?? "generalException"
    let inner: JSON = [
      "date": .string(String(exchange.now.rfc3339().dropLast())), "request-id": .string(exchange.traceID),
      "client-request-id": .string(exchange.correlationID),
    ]
    let body: JSON = [
      "error": [
        "code": .string(code), "message": "The emulator returned this error because of a fault.", "innerError": inner,
      ]
    ]
    var response = ResponseBuilder.json(body, status: .init(code: status), to: exchange)
    challenge(faultResponse, status, in: &response)
    return response
  }
}
