import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite("Stub transport")
struct StubTransportTests {
  @Test("responds with a closure and records every request")
  func closure() async throws {
    let transport = StubTransport { request in
      if request.head.path == "/down" { throw TransportFailure.connectionLost("half way") }
      return .json(#"{"path":"\#(request.head.path ?? "")"}"#)
    }
    let request = try #require(RequestMessage(url: "https://a.example/x?y#z"))
    let response = try await transport.send(request)
    #expect(response.body == Array(#"{"path":"/x?y"}"#.utf8))
    #expect(response.head.headerFields[.contentType] == "application/json; charset=utf-8")
    let down = try #require(RequestMessage(url: "https://a.example/down"))
    await #expect(throws: TransportFailure.connectionLost("half way")) { try await transport.send(down) }
    #expect(transport.requests == [request, down])
  }

  @Test("fails after the last response in a script")
  func script() async throws {
    let transport = StubTransport(answering: [.redirect(to: "/next"), .html("<p>hello")])
    let request = try #require(RequestMessage(url: "http://a.example"))
    #expect(try await transport.send(request).head.headerFields[.location] == "/next")
    #expect(try await transport.send(request).head.status == .ok)
    await #expect(throws: TransportFailure.self) { try await transport.send(request) }
  }

  @Test("fails to connect without a response")
  func withoutResponse() async throws {
    let request = try #require(RequestMessage(url: "https://login.example/token"))
    await #expect(throws: TransportFailure.cannotConnect("login.example (no stub)")) {
      try await World.simulated().http.send(request)
    }
  }
}
