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

@Suite("Device code")
struct DeviceCodeTests {
  func run(_ stage: Stage, scopes: [String] = ["User.Read"]) async -> (
    result: TokenResult?, error: MSALError?, prompt: DeviceCodePrompt?
  ) {
    let shown = Mutex<DeviceCodePrompt?>(nil)
    do {
      let result = try await stage.simulation.run {
        try await stage.application.acquireTokenByDeviceCode(
          DeviceCodeParameters(TokenParameters(scopes: scopes)) { prompt in shown.withLock { $0 = prompt } })
      }
      return (result, nil, shown.withLock { $0 })
    } catch {
      return (nil, error as? MSALError, shown.withLock { $0 })
    }
  }

  @Test("Polls at the server's pace until there are tokens")
  func polls() async throws {
    let stage = try Stage()
    stage.answer(
      FakePlatform.refusal("authorization_pending"), FakePlatform.refusal("slow_down"),
      FakePlatform.refusal("authorization_pending"))
    let before = stage.simulation.clock.now
    let run = await run(stage)
    #expect(run.result?.source == .deviceCode)
    #expect(run.prompt?.userCode == "ABCD")
    #expect(run.prompt?.message == "go")
    // 5 + 5, then 10 + 10 after being told to slow down.
    let seconds = (stage.simulation.clock.now - before).inSeconds
    #expect(seconds >= 30 && seconds < 31)
    #expect(stage.platform.count("token") == 4)
    let form = try #require(stage.platform.state.withLock { $0.tokenRequests.first })
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakePlatform.clientID)&grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code"
        + "&device_code=dc&code=dc&client_info=1")
    let visit = try #require(stage.platform.state.withLock { $0.visits.first })
    #expect(visit.purpose == .deviceCode)
    #expect(visit.url == "https://microsoft.com/devicelogin?otc=ABCD")
    #expect(try stage.application.accounts().count == 1)
  }

  @Test(
    "How it ends without tokens",
    arguments: [
      ("authorization_declined", "authorizationDeclined"), ("access_denied", "authorizationDeclined"),
      ("expired_token", "expiredToken"), ("code_expired", "expiredToken"),
      ("bad_verification_code", "authorizationFailed"),
      ("invalid_client", "invalidClient"),
    ])
  func endings(error: String, outcome: String) async throws {
    let stage = try Stage()
    stage.answer(FakePlatform.refusal("authorization_pending"), FakePlatform.refusal(error))
    let run = await run(stage)
    #expect(run.error?.outcomeName == outcome)
    #expect(run.error?.oauthError == error)
    #expect(run.error?.sent?.scope == "User.Read offline_access openid profile")
  }

  @Test("A poll without an answer halves the pace, and what comes afterwards is taken")
  func network() async throws {
    let stage = try Stage()
    let lost: FakePlatform.Answer = { _, _ in throw TransportFailure.timedOut("x") }
    let down: FakePlatform.Answer = { _, _ in ResponseMessage(.serviceUnavailable) }
    stage.answer(lost, lost, down, down, FakePlatform.refusal("authorization_pending"))
    let before = stage.simulation.clock.now
    let run = await run(stage)
    #expect(run.result?.source == .deviceCode)
    // 5, 10 and 20 s, 20 s again, and half a second before each second attempt.
    let seconds = (stage.simulation.clock.now - before).inSeconds
    #expect(seconds >= 56 && seconds < 57)
    #expect(stage.events.decisions.filter { $0 == "deviceCode slower" }.count == 2)
  }

  @Test("The network does not come back: it ends with the code")
  func networkGone() async throws {
    let stage = try Stage()
    for _ in 0..<100 { stage.answer { _, _ in throw TransportFailure.connectionLost("x") } }
    let before = stage.simulation.clock.now
    let run = await run(stage)
    #expect(run.error?.outcomeName == "expiredToken")
    #expect((stage.simulation.clock.now - before).inSeconds <= 901)
  }

  @Test("A server that tells neither pace nor end: five seconds, half an hour")
  func defaults() async throws {
    let stage = try Stage()
    stage.platform.state.withLock {
      $0.special["devicecode"] = {
        .json(#"{"device_code":"dc","user_code":"ABCD","verification_uri":"https://microsoft.com/devicelogin"}"#)
      }
    }
    for _ in 0..<1000 { stage.answer(FakePlatform.refusal("authorization_pending")) }
    let before = stage.simulation.clock.now
    let run = await run(stage)
    #expect(run.prompt?.expiresIn == .seconds(1800))
    #expect(run.prompt?.message == "Open https://microsoft.com/devicelogin and enter the code ABCD.")
    #expect(run.error?.outcomeName == "expiredToken")
    #expect(run.error?.oauthError == "authorization_pending")
    let seconds = (stage.simulation.clock.now - before).inSeconds
    #expect(seconds >= 1800 && seconds < 1801)
    #expect(stage.platform.count("token") == 359)
  }

  @Test("Cancelled while it waits")
  func cancelled() async throws {
    let stage = try Stage()
    for _ in 0..<100 { stage.answer(FakePlatform.refusal("authorization_pending")) }
    let outcome = try await stage.simulation.run {
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          await InteractiveTests.outcome {
            try await stage.application.acquireTokenByDeviceCode(
              DeviceCodeParameters(TokenParameters(scopes: ["User.Read"])) { _ in })
          }
        }
        try? await stage.simulation.clock.sleep(for: .seconds(12))
        group.cancelAll()
        return await group.next() ?? ""
      }
    }
    #expect(outcome == "userCanceled")
    #expect(stage.platform.count("token") == 2)
  }

  @Test("The request for a code is refused")
  func refused() async throws {
    let stage = try Stage()
    stage.platform.state.withLock {
      $0.special["devicecode"] = { .json(#"{"error":"unauthorized_client"}"#, status: .badRequest) }
    }
    #expect(await run(stage).error?.outcomeName == "unauthorizedClient")
    stage.platform.state.withLock { $0.special["devicecode"] = { .json("<html>", status: .notFound) } }
    #expect(await run(stage).error?.outcomeName == "unhandledResponse")
    stage.platform.state.withLock { $0.special["devicecode"] = { .json("{}") } }
    #expect(await run(stage).error?.outcomeName == "invalidResponse")
  }

  @Test("Nobody comes: it ends when the code does")
  func expires() async throws {
    let stage = try Stage()
    for _ in 0..<200 { stage.answer(FakePlatform.refusal("authorization_pending")) }
    let run = await run(stage)
    #expect(run.error?.outcomeName == "expiredToken")
    #expect(stage.platform.count("token") <= 181)
  }

  @Test("A provider without device codes")
  func unsupported() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.metadata = { $0["device_authorization_endpoint"] = nil } }
    let run = await run(stage)
    #expect(run.error?.outcomeName == "unexpected")
    #expect(run.prompt == nil)
  }
}
