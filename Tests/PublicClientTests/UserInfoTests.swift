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

@Suite("The userinfo endpoint")
struct UserInfoTests {
  @Test("It is asked only where the call wants it, with the new token, and its claims are in the result")
  func asked() async throws {
    let stage = try Stage()
    #expect(try await stage.signIn().userInfo == nil)
    #expect(stage.platform.count("userinfo") == 0)
    let result = try await stage.signIn { $0.token.checksUserInfo = true }
    #expect(result.userInfo?["name"] == "Megan")
    #expect(result.json["userInfo"]?["sub"] == "subject-1")
    #expect(stage.platform.last("userinfo")?.head.headerFields[.authorization] == "Bearer access-2")
    #expect(try await stage.silent { $0.token.checksUserInfo = true }.userInfo?["name"] == "Megan")
    let refreshed = try await stage.silent {
      $0.token.checksUserInfo = true
      $0.forceRefresh = true
    }
    #expect(refreshed.userInfo?["name"] == "Megan")
    #expect(stage.platform.last("userinfo")?.head.headerFields[.authorization] == "Bearer access-3")
    #expect(!stage.events.text.contains("access-3"))
  }

  @Test(
    "Another subject, none, no JSON, an error: the answer is not believed, and nothing is kept or asked any more",
    arguments: [#"{"sub":"subject-2"}"#, #"{"name":"x"}"#, "{}", "[]", "eyJ.x.y", #"{"sub":"SUBJECT-1"}"#, ""])
  func refused(body: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock {
      $0.special["userinfo"] = { .json(body, status: body.isEmpty ? .unauthorized : .ok) }
    }
    let error = await stage.signInFailure { $0.token.checksUserInfo = true }
    #expect(error?.outcomeName == "invalidResponse")
    #expect(stage.platform.count("userinfo") == 1)
    #expect(stage.platform.state.withLock { $0.messages.last?.url.hasSuffix("/userinfo") } == true)
    #expect(try stage.store.load() == nil)
    #expect(stage.events.decisions.contains("userInfo refused"))
  }

  @Test("A provider without the endpoint cannot be checked")
  func missing() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.metadata = { $0["userinfo_endpoint"] = nil } }
    #expect(await stage.signInFailure { $0.token.checksUserInfo = true }?.outcomeName == "invalidResponse")
  }
}
