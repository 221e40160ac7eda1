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

@Suite("Userinfo endpoint")
struct UserInfoTests {
  @Test("requests user info with the new access token if the call asks for it, and returns the claims")
  func requested() async throws {
    let client = try TestClient()
    #expect(try await client.signIn().userInfo == nil)
    #expect(client.server.count("userinfo") == 0)
    let result = try await client.signIn { $0.token.checksUserInfo = true }
    #expect(result.userInfo?["name"] == "Megan")
    #expect(result.json["userInfo"]?["sub"] == "subject-1")
    #expect(client.server.last("userinfo")?.head.headerFields[.authorization] == "Bearer access-2")
    #expect(try await client.silent { $0.token.checksUserInfo = true }.userInfo?["name"] == "Megan")
    let refreshed = try await client.silent {
      $0.token.checksUserInfo = true
      $0.forceRefresh = true
    }
    #expect(refreshed.userInfo?["name"] == "Megan")
    #expect(client.server.last("userinfo")?.head.headerFields[.authorization] == "Bearer access-3")
    #expect(!client.events.text.contains("access-3"))
  }

  @Test(
    "rejects an invalid userinfo response, saves nothing, and sends no more requests",
    arguments: [#"{"sub":"subject-2"}"#, #"{"name":"x"}"#, "{}", "[]", "eyJ.x.y", #"{"sub":"SUBJECT-1"}"#, ""])
  func rejected(body: String) async throws {
    let client = try TestClient()
    client.server.state.withLock {
      $0.overrides["userinfo"] = { .json(body, status: body.isEmpty ? .unauthorized : .ok) }
    }
    let error = await client.signInFailure { $0.token.checksUserInfo = true }
    #expect(error?.outcomeName == "invalidResponse")
    #expect(client.server.count("userinfo") == 1)
    #expect(client.server.state.withLock { $0.requests.last?.url.hasSuffix("/userinfo") } == true)
    #expect(try client.store.load() == nil)
    #expect(client.events.decisions.contains("userInfo rejected"))
  }

  @Test("fails if the provider has no userinfo endpoint")
  func missing() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.metadata = { $0["userinfo_endpoint"] = nil } }
    #expect(await client.signInFailure { $0.token.checksUserInfo = true }?.outcomeName == "invalidResponse")
  }
}
