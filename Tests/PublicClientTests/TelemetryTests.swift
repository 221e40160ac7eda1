import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import TokenCache

/// Tests the two headers that MSAL uses to report its current and previous calls to the service.
@Suite("Telemetry headers")
struct TelemetryTests {
  func last(_ client: TestClient) -> String? {
    HTTPField.Name("x-client-last-telemetry").flatMap { client.server.last("token")?.head.headerFields[$0] }
  }

  func current(_ client: TestClient) -> String? {
    HTTPField.Name("x-client-current-telemetry").flatMap { client.server.last("token")?.head.headerFields[$0] }
  }

  @Test("reports the type of call and the reason for the refresh")
  func reasons() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await client.signIn()
    #expect(current(client) == "4|167,0|")
    _ = try await client.silent { $0.forceRefresh = true }
    #expect(current(client) == "4|34,1|")
    _ = try await client.silent(["Mail.Send"])
    #expect(current(client) == "4|34,2|")
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    try await client.wait(.seconds(4000))
    _ = try await client.silent(["Mail.Send"])
    #expect(current(client) == "4|34,3|")
    try await client.wait(.seconds(2000))
    _ = try await client.silent(["Mail.Send"])
    #expect(current(client) == "4|34,4|")
  }

  @Test("counts cached results until a request succeeds")
  func successes() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    #expect(last(client) == "4|0|||")
    for _ in 0..<3 { _ = try await client.silent() }
    _ = try await client.silent { $0.forceRefresh = true }
    #expect(last(client) == "4|3|||")
    _ = try await client.silent { $0.forceRefresh = true }
    #expect(last(client) == "4|0|||")
  }

  @Test("lists errors from oldest to newest, with IdentityCore codes")
  func failures() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(
      FakeServer.oauthError("invalid_grant"), FakeServer.oauthError("invalid_scope"),
      { _, _ in .json("{}", status: .notFound) })
    for (index, scope) in ["a", "b", "c"].enumerated() {
      _ = await client.silentFailure([scope]) { $0.token.correlationID = "c-\(index)" }
    }
    client.server.state.withLock { $0.browserResult = .closed(reason: "closed") }
    _ = await client.signInFailure { $0.token.correlationID = "c-3" }
    _ = try await client.silent { $0.forceRefresh = true }
    #expect(
      last(client)
        == "4|0|34,c-0,34,c-1,34,c-2,167,c-3|MSIDErrorDomain_-51115,MSIDOAuthErrorDomain_-51413,"
        + "MSIDHttpErrorCodeDomain_-51500,MSIDErrorDomain_-51700|")
  }

  @Test("omits the oldest calls if a header would be longer than 350 bytes")
  func length() async throws {
    let client = try TestClient()
    for index in 0..<100 {
      _ = await client.silentFailure { $0.token.correlationID = "correlation-\(index)" }
    }
    _ = try await client.signIn()
    let header = try #require(last(client))
    #expect(header.utf8.count <= 350)
    #expect(header.utf8.count > 350 - 45)
    #expect(header.contains("correlation-99|"))
    #expect(!header.contains("correlation-90,"))
  }
}
