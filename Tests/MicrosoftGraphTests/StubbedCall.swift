import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import RunTrace
import SimulatedWorld
import Synchronization
import Trust

/// A call to a stub server in a simulated environment: the result, the sent requests, and the trace events.
struct StubbedCall: Sendable {
  static let graph = "https://graph.microsoft.com"
  static let token = Secret("eyJ0b2tlbg.graph.token", kind: .accessToken)

  var result: APICallResult
  var requests: [RequestMessage]
  var events: [TraceEvent]
  /// The duration of the call in virtual time.
  var duration: Duration

  static func perform(
    _ call: APICall, token: Secret? = token, endpoint: String = graph, answering responses: [ResponseMessage]
  ) async throws -> StubbedCall {
    try await perform(call, token: token, endpoint: endpoint, by: StubTransport(answering: responses))
  }

  static func perform(
    _ call: APICall, token: Secret? = token, endpoint: String = graph, by transport: StubTransport,
    for resource: TokenDestinations.Resource = .graph, destinations: TokenDestinations = .inProcess
  ) async throws -> StubbedCall {
    let simulation = Simulation(http: transport)
    let events = Events()
    return try await simulation.run {
      let trace = TraceRecorder(clock: simulation.clock) { event in events.append(event) }
      let client = APIClient(http: transport, clock: simulation.clock, trace: trace, destinations: destinations)
      let began = simulation.clock.now
      let result = await client.perform(call, token: token, for: resource, endpoint: endpoint)
      return StubbedCall(
        result: result, requests: transport.requests, events: events.all, duration: simulation.clock.now - began)
    }
  }

  /// The decisions in the trace as `subject.verdict`, in order.
  var decisions: [String] {
    events.filter { $0.kind == .decision }.map {
      "\($0.json["subject"]?.string ?? "").\($0.json["verdict"]?.string ?? "")"
    }
  }

  /// Whether each request contained the token.
  var authorized: [Bool] {
    requests.map { $0.head.headerFields[.authorization] == "Bearer \(Self.token.reveal())" }
  }
}

private final class Events: Sendable {
  private let events = Mutex<[TraceEvent]>([])
  var all: [TraceEvent] { events.withLock { $0 } }
  func append(_ event: TraceEvent) { events.withLock { $0.append(event) } }
}

extension APICall {
  static func get(_ path: String, pages: Pages = .first, retry: RetryPolicy = .graph) -> APICall {
    var call = APICall(target: .graph(path: path), pages: pages)
    call.retry = retry
    return call
  }
}
