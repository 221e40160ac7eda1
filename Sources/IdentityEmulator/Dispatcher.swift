import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// Takes a request apart, lets faults strike, and hands it to its endpoint.
struct Dispatcher: Sendable {
  let platform: Platform
  /// How long whoever asks waits; nil where it can hang up by itself.
  var patience: Duration?

  private static let targetLimit = 64 << 10

  func outcome(of request: RequestMessage) async -> IdentityPlatformEmulator.Outcome {
    switch await answer(to: request) {
    case .response(let response): .response(response.withReason)
    case .endless(let response, let more): .endless(response.withReason, more: more)
    case .cut(let response): .cut(response.withReason)
    case .broken(let failure): .broken(failure)
    }
  }

  private func answer(to request: RequestMessage) async -> IdentityPlatformEmulator.Outcome {
    let exchange = EmulatorRequest(request, now: platform.now, randomness: platform.randomness)
    guard (request.head.path ?? "").utf8.count <= Self.targetLimit else {
      return .response(ResponseBuilder.text("The URL is too long.", status: .uriTooLong, to: exchange))
    }
    if exchange.segments.first == ControlInterface.root {
      return .response(await ControlInterface(platform: platform, exchange: exchange).answer())
    }
    if let until = platform.withState({ $0.offlineUntil }), exchange.now < until {
      return .broken(.offline("the emulated network is down"))
    }
    let route = Route(exchange, servesEveryHost: platform.options.servesEveryHost)
    let limit = BodyLimit(exchange: exchange, route: route)
    guard request.body.count <= limit.bytes else { return .response(limit.refusal()) }
    let preflight = CrossOrigin.preflight(exchange, route: route)
    let counted = preflight == nil ? route.counted(exchange) : nil
    let isolation = platform.isolation(of: exchange)
    let ways = platform.withState { state in
      state.count(counted, isolation: isolation)
      return state.misbehaviors
    }
    let fault = preflight == nil ? platform.takeFault(for: route, exchange, isolation: isolation) : nil
    let outcome: IdentityPlatformEmulator.Outcome =
      if let preflight {
        .response(preflight)
      } else if let fault {
        await FaultInjector(fault: fault, route: route, exchange: exchange, platform: platform, patience: patience)
          .outcome()
      } else {
        OversizedResponse.outcome(of: telling(await route.answer(exchange, platform), exchange), to: counted, ways)
      }
    if platform.options.controlEnabled { note(outcome, of: exchange, fault: fault, isolation: isolation) }
    return outcome
  }

  /// Says in a header that the app of the request is none of the directory's, so that nobody takes its registration for
  /// tested.
  private func telling(_ response: ResponseMessage, _ exchange: EmulatorRequest) -> ResponseMessage {
    guard let id = exchange.form["client_id"] ?? exchange.query["client_id"] ?? TokenRequest.basicClient(exchange),
      platform.withState({ $0.appsOnTheFly.contains(id.lowercased()) })
    else { return response }
    var response = response
    response.head.headerFields[.registeredOnTheFly] = "app=\(id)"
    return response
  }

  /// Writes the request into the trail that the control interface shows: what was asked and what came of it, without
  /// anything secret.
  private func note(
    _ outcome: IdentityPlatformEmulator.Outcome, of exchange: EmulatorRequest, fault: Fault?, isolation: String?
  ) {
    var entry = RequestLogEntry(
      time: exchange.now, method: exchange.method.rawValue, url: exchange.base + exchange.path, isFault: fault != nil)
    entry.isolation = isolation
    switch outcome {
    case .broken: break
    case .response(let response), .endless(let response, _), .cut(let response):
      entry.status = response.head.status.code
      let telemetry = response.head.headerFields[.clientTelemetry]?.split(
        separator: ",", omittingEmptySubsequences: false)
      if let code = telemetry?.dropFirst().first, code != "0" { entry.code = "AADSTS\(code)" }
      if let location = response.head.headerFields[.location], location.holds("error=") {
        let url = URLReference(location)
        let parameters = url.parameters + FormCoding.parse(url.fragment ?? "")
        if let error = OAuthError(parameters) { entry.code = error.code ?? error.error }
      }
    }
    entry.decision = exchange.audit.decision
    entry.decision.complete(entry, exchange, fault: fault)
    entry.code = entry.code ?? entry.decision.code
    platform.withState { $0.add(entry) }
  }
}
