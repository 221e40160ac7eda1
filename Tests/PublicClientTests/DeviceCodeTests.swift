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

@Suite("Device code flow")
struct DeviceCodeTests {
  func run(_ client: TestClient, scopes: [String] = ["User.Read"]) async -> (
    result: TokenResult?, error: MSALError?, prompt: DeviceCodePrompt?
  ) {
    let displayedPrompt = Mutex<DeviceCodePrompt?>(nil)
    do {
      let result = try await client.simulation.run {
        try await client.application.acquireTokenByDeviceCode(
          DeviceCodeParameters(TokenParameters(scopes: scopes)) { prompt in
            displayedPrompt.withLock { $0 = prompt }
          })
      }
      return (result, nil, displayedPrompt.withLock { $0 })
    } catch {
      return (nil, error as? MSALError, displayedPrompt.withLock { $0 })
    }
  }

  @Test("polls at the server's interval until the server issues tokens")
  func polls() async throws {
    let client = try TestClient()
    client.enqueue(
      FakeServer.oauthError("authorization_pending"), FakeServer.oauthError("slow_down"),
      FakeServer.oauthError("authorization_pending"))
    let before = client.simulation.clock.now
    let run = await run(client)
    #expect(run.result?.source == .deviceCode)
    #expect(run.prompt?.userCode == "ABCD")
    #expect(run.prompt?.message == "go")
    // The app waits 5 + 5 s, then 10 + 10 s after `slow_down`.
    let seconds = (client.simulation.clock.now - before).inSeconds
    #expect(seconds >= 30 && seconds < 31)
    #expect(client.server.count("token") == 4)
    let form = try #require(client.server.state.withLock { $0.tokenRequests.first })
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakeServer.clientID)&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        + "&device_code=dc&code=dc&client_info=1")
    let visit = try #require(client.server.state.withLock { $0.visits.first })
    #expect(visit.purpose == .deviceCode)
    #expect(visit.url == "https://microsoft.com/devicelogin?otc=ABCD")
    #expect(try client.application.accounts().count == 1)
  }

  @Test(
    "stops polling after an error",
    arguments: [
      ("authorization_declined", "authorizationDeclined"), ("access_denied", "authorizationDeclined"),
      ("expired_token", "expiredToken"), ("code_expired", "expiredToken"),
      ("bad_verification_code", "authorizationFailed"),
      ("invalid_client", "invalidClient"),
    ])
  func errors(error: String, outcome: String) async throws {
    let client = try TestClient()
    client.enqueue(FakeServer.oauthError("authorization_pending"), FakeServer.oauthError(error))
    let run = await run(client)
    #expect(run.error?.outcomeName == outcome)
    #expect(run.error?.oauthError == error)
    #expect(run.error?.sent?.scope == "User.Read offline_access openid profile")
  }

  @Test("doubles the interval after a request without a response, and continues polling")
  func network() async throws {
    let client = try TestClient()
    let timeout: FakeServer.Responder = { _, _ in throw TransportFailure.timedOut("x") }
    let unavailable: FakeServer.Responder = { _, _ in ResponseMessage(.serviceUnavailable) }
    client.enqueue(timeout, timeout, unavailable, unavailable, FakeServer.oauthError("authorization_pending"))
    let before = client.simulation.clock.now
    let run = await run(client)
    #expect(run.result?.source == .deviceCode)
    // The app waits 5, 10, 20, and 20 s, plus half a second before each retry.
    let seconds = (client.simulation.clock.now - before).inSeconds
    #expect(seconds >= 56 && seconds < 57)
    #expect(client.events.decisions.filter { $0 == "deviceCode slowed down" }.count == 2)
  }

  @Test("stops polling when the code expires during a network failure")
  func networkLost() async throws {
    let client = try TestClient()
    for _ in 0..<100 { client.enqueue { _, _ in throw TransportFailure.connectionLost("x") } }
    let before = client.simulation.clock.now
    let run = await run(client)
    #expect(run.error?.outcomeName == "expiredToken")
    #expect((client.simulation.clock.now - before).inSeconds <= 901)
  }

  @Test("polls every five seconds for 30 minutes by default")
  func defaults() async throws {
    let client = try TestClient()
    client.server.state.withLock {
      $0.overrides["devicecode"] = {
        .json(#"{"device_code":"dc","user_code":"ABCD","verification_uri":"https://microsoft.com/devicelogin"}"#)
      }
    }
    for _ in 0..<1000 { client.enqueue(FakeServer.oauthError("authorization_pending")) }
    let before = client.simulation.clock.now
    let run = await run(client)
    #expect(run.prompt?.expiresIn == .seconds(1800))
    #expect(run.prompt?.message == "Open https://microsoft.com/devicelogin and enter the code ABCD.")
    #expect(run.error?.outcomeName == "expiredToken")
    #expect(run.error?.oauthError == "authorization_pending")
    let seconds = (client.simulation.clock.now - before).inSeconds
    #expect(seconds >= 1800 && seconds < 1801)
    #expect(client.server.count("token") == 359)
  }

  @Test("stops polling when the task is canceled")
  func canceled() async throws {
    let client = try TestClient()
    for _ in 0..<100 { client.enqueue(FakeServer.oauthError("authorization_pending")) }
    let outcome = try await client.simulation.run {
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          await InteractiveTests.outcome {
            try await client.application.acquireTokenByDeviceCode(
              DeviceCodeParameters(TokenParameters(scopes: ["User.Read"])) { _ in })
          }
        }
        try? await client.simulation.clock.sleep(for: .seconds(12))
        group.cancelAll()
        return await group.next() ?? ""
      }
    }
    #expect(outcome == "userCanceled")
    #expect(client.server.count("token") == 2)
  }

  @Test("reports an error from the device authorization endpoint")
  func deviceAuthorizationError() async throws {
    let client = try TestClient()
    client.server.state.withLock {
      $0.overrides["devicecode"] = { .json(#"{"error":"unauthorized_client"}"#, status: .badRequest) }
    }
    #expect(await run(client).error?.outcomeName == "unauthorizedClient")
    client.server.state.withLock { $0.overrides["devicecode"] = { .json("<html>", status: .notFound) } }
    #expect(await run(client).error?.outcomeName == "unhandledResponse")
    client.server.state.withLock { $0.overrides["devicecode"] = { .json("{}") } }
    #expect(await run(client).error?.outcomeName == "invalidResponse")
  }

  @Test("stops polling when the code expires")
  func expires() async throws {
    let client = try TestClient()
    for _ in 0..<200 { client.enqueue(FakeServer.oauthError("authorization_pending")) }
    let run = await run(client)
    #expect(run.error?.outcomeName == "expiredToken")
    #expect(client.server.count("token") <= 181)
  }

  @Test("fails if the provider does not support device codes")
  func unsupported() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.metadata = { $0["device_authorization_endpoint"] = nil } }
    let run = await run(client)
    #expect(run.error?.outcomeName == "unexpected")
    #expect(run.prompt == nil)
  }
}
