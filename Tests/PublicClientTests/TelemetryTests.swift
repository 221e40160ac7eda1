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

/// The two headers by which MSAL tells the service of its last calls.
@Suite("Telemetry headers")
struct TelemetryTests {
  func last(_ stage: Stage) -> String? {
    HTTPField.Name("x-client-last-telemetry").flatMap { stage.platform.last("token")?.head.headerFields[$0] }
  }

  func current(_ stage: Stage) -> String? {
    HTTPField.Name("x-client-current-telemetry").flatMap { stage.platform.last("token")?.head.headerFields[$0] }
  }

  @Test("The call and why it redeems a refresh token")
  func reasons() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await stage.signIn()
    #expect(current(stage) == "4|167,0|")
    _ = try await stage.silent { $0.forceRefresh = true }
    #expect(current(stage) == "4|34,1|")
    _ = try await stage.silent(["Mail.Send"])
    #expect(current(stage) == "4|34,2|")
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    try await stage.wait(.seconds(4000))
    _ = try await stage.silent(["Mail.Send"])
    #expect(current(stage) == "4|34,3|")
    try await stage.wait(.seconds(2000))
    _ = try await stage.silent(["Mail.Send"])
    #expect(current(stage) == "4|34,4|")
  }

  @Test("Answers from the cache are counted; a request that succeeds clears everything")
  func successes() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    #expect(last(stage) == "4|0|||")
    for _ in 0..<3 { _ = try await stage.silent() }
    _ = try await stage.silent { $0.forceRefresh = true }
    #expect(last(stage) == "4|3|||")
    _ = try await stage.silent { $0.forceRefresh = true }
    #expect(last(stage) == "4|0|||")
  }

  @Test("Failures are listed from old to new, with the codes of the layer below MSAL")
  func failures() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(
      FakePlatform.refusal("invalid_grant"), FakePlatform.refusal("invalid_scope"),
      { _, _ in .json("{}", status: .notFound) })
    for (index, scope) in ["a", "b", "c"].enumerated() {
      _ = await stage.silentFailure([scope]) { $0.token.correlationID = "c-\(index)" }
    }
    stage.platform.state.withLock { $0.ending = .closed(reason: "enough") }
    _ = await stage.signInFailure { $0.token.correlationID = "c-3" }
    _ = try await stage.silent { $0.forceRefresh = true }
    #expect(
      last(stage)
        == "4|0|34,c-0,34,c-1,34,c-2,167,c-3|MSIDErrorDomain_-51115,MSIDOAuthErrorDomain_-51413,"
        + "MSIDHttpErrorCodeDomain_-51500,MSIDErrorDomain_-51700|")
  }

  @Test("A line of more than 350 bytes loses its oldest calls, and no more than needed")
  func length() async throws {
    let stage = try Stage()
    for index in 0..<100 {
      _ = await stage.silentFailure { $0.token.correlationID = "correlation-\(index)" }
    }
    _ = try await stage.signIn()
    let line = try #require(last(stage))
    #expect(line.utf8.count <= 350)
    #expect(line.utf8.count > 350 - 45)
    #expect(line.contains("correlation-99|"))
    #expect(!line.contains("correlation-90,"))
  }
}
