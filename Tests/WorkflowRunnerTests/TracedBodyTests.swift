import Documents
import Effects
import HTTPTypes
import OrderedCollections
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import WorkflowRunner

/// Tests request and response bodies in the trace.
@Suite struct TracedBodyTests {
  @Test
  func masksTokensInJSONWithTheWrongContentType() async throws {
    let simulation = Simulation()
    let lines = Mutex("")
    let trace = TraceRecorder(clock: simulation.clock) { event in lines.withLock { $0 += event.line } }
    let body = #"{"access_token":"opaque-Zx81kqPw","expires_in":3600}"#
    let base = StubTransport { _ in
      ResponseMessage(.ok, headers: [.contentType: "application/x-www-form-urlencoded"], body: Array(body.utf8))
    }
    let transport = TracingTransport(
      base, sender: .app, clock: simulation.clock, trace: trace, tally: RequestCounter())
    _ = try await transport.send(try #require(RequestMessage(url: "https://a.test/token")))
    let output = lines.withLock { $0 }
    #expect(output.contains("‹access token #1›"))
    #expect(!output.contains("opaque-Zx81kqPw"))
  }
}
