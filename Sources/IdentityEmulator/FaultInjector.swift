import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

extension Platform {
  /// The first fault that waits for this request; it counts as fired.
  func takeFault(for route: Route, _ exchange: EmulatorRequest, isolation: String?) -> Fault? {
    let counted = route.counted(exchange)
    return withState { state in
      for index in state.faults.indices where !state.faults[index].isSpent {
        let fault = state.faults[index].fault
        let strikes =
          switch fault.at {
          case .endpoint(let endpoint): counted?.rawValue == endpoint.rawValue
          case .request: fault.at.matches(method: exchange.method.rawValue, path: exchange.path)
          }
        guard strikes, state.faults[index].isolation == isolation else { continue }
        // What it lets pass comes to the next one.
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

/// Plays a fault in place of, or on top of, the real answer.
struct FaultInjector: Sendable {
  let fault: Fault
  let route: Route
  let exchange: EmulatorRequest
  let platform: Platform
  /// How long whoever asks waits; nil where it can hang up by itself.
  let patience: Duration?

  func outcome() async -> IdentityPlatformEmulator.Outcome {
    switch fault.effect {
    case .reset: return .broken(.connectionLost("the emulator reset the connection, as a fault says"))
    case .tls: return .broken(.tls("the emulator does not complete the handshake, as a fault says"))
    case .endless:
      return .endless(await route.answer(exchange, platform), more: OversizedResponse.blanks)
    case .delay(let length):
      if let failure = await pass(length) { return .broken(failure) }
      return .response(await route.answer(exchange, platform))
    case .truncated:
      return .cut(await route.answer(exchange, platform))
    case .html:
      let page = "<!DOCTYPE html><html><head><title>Proxy</title></head><body><h1>A proxy says hello</h1></body></html>"
      return .response(ResponseBuilder.page(page, to: exchange))
    case .answer(let answer):
      if let delay = answer.delay, let failure = await pass(delay) { return .broken(failure) }
      return .response(await inject(answer))
    }
  }

  /// Lets time pass.
  /// - Returns: why nobody waits for the answer any more.
  private func pass(_ length: Duration) async -> TransportFailure? {
    let isTooLong = patience.map { length > $0 } ?? false
    do {
      try await platform.clock.sleep(for: isTooLong ? patience ?? length : length)
    } catch {
      return .cancelled
    }
    return isTooLong ? ResponseLimit.lateness(host: exchange.host) : nil
  }

  private func inject(_ answer: Fault.Response) async -> ResponseMessage {
    var response =
      if answer.keepsRealAnswer {
        await route.answer(exchange, platform)
      } else if let body = answer.body {
        raw(body, status: answer.status ?? 200)
      } else {
        switch route.counted(exchange) {
        case .graph: graphError(answer)
        case .authorize: authorizeError(answer)
        default: if case .api = route { resourceError(answer) } else { oauthError(answer) }
        }
      }
    switch answer.retryAfter {
    case .seconds(let length)?:
      let seconds = length.components.seconds + (length.components.attoseconds > 0 ? 1 : 0)
      response.head.headerFields[.retryAfter] = String(seconds)
    case .date(let text)?: response.head.headerFields[.retryAfter] = text
    case nil: break
    }
    if let type = answer.type { response.head.headerFields[.contentType] = type }
    for (name, value) in answer.headers {
      if let field = HTTPField.Name(name) { response.head.headerFields[field] = value }
    }
    return response
  }

  private func raw(_ body: JSON, status: Int) -> ResponseMessage {
    if let text = body.string { return ResponseBuilder.text(text, status: .init(code: status), to: exchange) }
    return ResponseBuilder.json(body, status: .init(code: status), to: exchange)
  }

  private func refusal(_ answer: Fault.Response) -> ErrorResponse {
    let digits = answer.code.map { $0.filter { $0.isASCII && $0.isNumber } } ?? ""
    let isB2C = answer.code?.uppercased().hasPrefix("AADB2C") ?? false
    var refusal = ErrorResponse(
      Int(isB2C ? String((answer.code ?? "").dropFirst(6)) : digits) ?? fallbackCode(answer), forced: answer.error,
      suberror: answer.suberror, claims: answer.claims)
    refusal.isB2C = isB2C
    refusal.staysOnPage = false
    if let status = answer.status { refusal.status = .init(code: status) }
    return refusal
  }

  /// A fault that names no code takes the one that fits its status.
  private func fallbackCode(_ answer: Fault.Response) -> Int {
    switch answer.status {
    case 429?: 90055
    case let status? where status >= 500: 90033
    default: answer.retryAfter != nil && answer.error == nil ? 90055 : 70000
    }
  }

  private func oauthError(_ answer: Fault.Response) -> ResponseMessage { refusal(answer).answer(to: exchange) }

  /// To the app where the redirect URI is good; as a bare status where one is given.
  private func authorizeError(_ answer: Fault.Response) -> ResponseMessage {
    let refusal = refusal(answer)
    if let status = answer.status, answer.error == nil, answer.code == nil {
      return ResponseBuilder.page(
        PageFrame(screen: .error, title: "Service unavailable", code: nil, content: "<p>Try again later.</p>\n").text,
        status: .init(code: status), to: exchange)
    }
    guard let (realm, rest) = try? platform.realm(of: exchange) else { return ErrorPage.answer(refusal, to: exchange) }
    let parsed = Result { () throws(AuthorizeFailure) in
      try platform.authorizeRequest(
        exchange.parameters, realm: realm, host: exchange.host, isVersion1: !rest.contains { $0.lowercased() == "v2.0" }
      )
    }
    switch parsed {
    case .success(let request): return AuthorizeResponse.refuse(refusal, to: request.address, exchange: exchange)
    case .failure(.redirect(_, let address)): return AuthorizeResponse.refuse(refusal, to: address, exchange: exchange)
    case .failure(.page): return ErrorPage.answer(refusal, to: exchange)
    }
  }

  /// What an API of one's own says: a challenge where the token is not enough (RFC 6750 §3), and a word about it.
  private func resourceError(_ answer: Fault.Response) -> ResponseMessage {
    let status = answer.status ?? (answer.claims != nil ? 401 : answer.retryAfter != nil ? 429 : 500)
    let body: JSON = [
      "error": .string(answer.error ?? answer.code ?? "fault"), "message": "The emulator answers as a fault says.",
    ]
    var response = ResponseBuilder.json(body, status: .init(code: status), to: exchange)
    challenge(answer, status, in: &response)
    return response
  }

  private func challenge(_ answer: Fault.Response, _ status: Int, in response: inout ResponseMessage) {
    if let claims = answer.claims {
      response.head.headerFields[.wwwAuthenticate] = BearerChallenge.insufficientClaims(
        claims, base: exchange.loginBase)
    } else if status == 401 {
      response.head.headerFields[.wwwAuthenticate] = BearerChallenge.plain(base: exchange.loginBase)
    }
  }

  private func graphError(_ answer: Fault.Response) -> ResponseMessage {
    let status = answer.status ?? (answer.claims != nil ? 401 : answer.retryAfter != nil ? 429 : 500)
    let code =
      answer.error ?? answer.code
      ?? [
        401: "InvalidAuthenticationToken", 403: "Authorization_RequestDenied", 404: "Request_ResourceNotFound",
        429: "TooManyRequests", 503: "serviceNotAvailable",
      ][status] ?? "generalException"
    let inner: JSON = [
      "date": .string(String(exchange.now.rfc3339().dropLast())), "request-id": .string(exchange.traceID),
      "client-request-id": .string(exchange.correlationID),
    ]
    let body: JSON = [
      "error": ["code": .string(code), "message": "The emulator answers as a fault says.", "innerError": inner]
    ]
    var response = ResponseBuilder.json(body, status: .init(code: status), to: exchange)
    challenge(answer, status, in: &response)
    return response
  }
}
