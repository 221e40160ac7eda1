import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// The dispatcher that parses requests, injects faults, and routes each request to its endpoint.
struct Dispatcher: Sendable {
  let platform: Platform
  /// The client's timeout, or nil if the client closes the connection itself.
  var clientTimeout: Duration?

  private static let targetLimit = 64 << 10

  func outcome(of request: RequestMessage) async -> IdentityPlatformEmulator.Outcome {
    switch await process(request) {
    case .response(let response): .response(response.withReason)
    case .endless(let response, let more): .endless(response.withReason, more: more)
    case .truncated(let response): .truncated(response.withReason)
    case .failed(let failure): .failed(failure)
    }
  }

  private func process(_ request: RequestMessage) async -> IdentityPlatformEmulator.Outcome {
    let exchange = EmulatorRequest(request, now: platform.now, randomness: platform.randomness)
    guard (request.head.path ?? "").utf8.count <= Self.targetLimit else {
      return .response(ResponseBuilder.text("The URL is too long.", status: .uriTooLong, to: exchange))
    }
    if exchange.segments.first == ControlInterface.root {
      return .response(await ControlInterface(platform: platform, exchange: exchange).response())
    }
    if let response = startPageResponse(exchange) { return .response(response) }
    if let until = platform.withState({ $0.offlineUntil }), exchange.now < until {
      return .failed(.offline("the emulated network is offline"))
    }
    let route = Route(exchange, servesEveryHost: platform.options.servesEveryHost)
    let limit = BodyLimit(exchange: exchange, route: route)
    guard request.body.count <= limit.bytes else { return .response(limit.errorResponse()) }
    let preflight = CrossOrigin.preflight(exchange, route: route)
    let counted = preflight == nil ? route.counted(exchange) : nil
    let isolation = platform.isolation(of: exchange)
    let misbehaviors = platform.withState { state in
      state.count(counted, isolation: isolation)
      return state.misbehaviors
    }
    let fault = preflight == nil ? platform.nextFault(for: route, exchange, isolation: isolation) : nil
    let outcome: IdentityPlatformEmulator.Outcome =
      if let preflight {
        .response(preflight)
      } else if let fault {
        await FaultInjector(
          fault: fault, route: route, exchange: exchange, platform: platform, clientTimeout: clientTimeout
        )
        .outcome()
      } else {
        OversizedResponse.outcome(
          of: addingRegistrationHeader(to: await route.response(to: exchange, platform), exchange), to: counted,
          misbehaviors)
      }
    if platform.options.controlEnabled { addLogEntry(for: outcome, of: exchange, fault: fault, isolation: isolation) }
    return outcome
  }

  /// Returns the response to a request for the start page or its files, or nil for other requests. These requests are
  /// neither counted nor logged, and they also work while the emulated network is offline.
  private func startPageResponse(_ exchange: EmulatorRequest) -> ResponseMessage? {
    guard platform.options.hasStartPage else { return nil }
    if exchange.segments.first == StartPage.fileRoot { return StartPage.file(exchange) }
    guard case .home = Route(exchange, servesEveryHost: true) else { return nil }
    if let token = exchange.query[PageAccess.parameter] {
      return StartPageLink(exchange: exchange, platform: platform).response(to: token)
    }
    return HomeEndpoint.response(to: exchange, platform)
  }

  /// Adds a response header if the app is not in the directory, because the request then does not test an app
  /// registration.
  private func addingRegistrationHeader(to response: ResponseMessage, _ exchange: EmulatorRequest) -> ResponseMessage {
    guard let id = exchange.form["client_id"] ?? exchange.query["client_id"] ?? TokenRequest.basicClient(exchange),
      platform.withState({ $0.appsOnTheFly.contains(id.lowercased()) })
    else { return response }
    var response = response
    response.head.headerFields[.registeredOnTheFly] = "app=\(id)"
    return response
  }

  /// Adds the request and its result, without secrets, to the request log of the control interface.
  private func addLogEntry(
    for outcome: IdentityPlatformEmulator.Outcome, of exchange: EmulatorRequest, fault: Fault?, isolation: String?
  ) {
    var entry = RequestLogEntry(
      time: exchange.now, method: exchange.method.rawValue, url: exchange.base + exchange.path, isFault: fault != nil)
    entry.isolation = isolation
    if let fault { exchange.decisionLog.check("fault", "triggered at \(fault.at.spelled)", isPassed: false) }
    switch outcome {
    case .failed: entry.details = RequestDetails(exchange, nil)
    case .response(let response), .endless(let response, _), .truncated(let response):
      entry.details = RequestDetails(exchange, response)
      entry.status = response.head.status.code
      let telemetry = response.head.headerFields[.clientTelemetry]?.split(
        separator: ",", omittingEmptySubsequences: false)
      if let code = telemetry?.dropFirst().first, code != "0" { entry.code = "AADSTS\(code)" }
      if let location = response.head.headerFields[.location], location.containsUTF8("error=") {
        let url = URLReference(location)
        let parameters = url.parameters + FormCoding.parse(url.fragment ?? "")
        if let error = OAuthError(parameters) { entry.code = error.code ?? error.error }
      }
    }
    entry.decision = exchange.decisionLog.decision
    entry.decision.complete(entry, exchange, fault: fault)
    entry.code = entry.code ?? entry.decision.code
    platform.withState { $0.add(entry) }
  }
}
