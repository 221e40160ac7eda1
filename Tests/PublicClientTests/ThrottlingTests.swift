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

@Suite("Throttling of refreshes")
struct ThrottlingTests {
  func busy(_ status: Int, retryAfter: String?) -> FakePlatform.Answer {
    { _, _ in
      var headers = HTTPFields()
      if let retryAfter { headers[.retryAfter] = retryAfter }
      return .json("{}", status: .init(code: status), headers: headers)
    }
  }

  @Test(
    "While the server wants rest, the same failure answers without a request",
    arguments: [
      (nil, 60), ("50", 50), ("5000", 5000), ("10000", 3600), ("Wed, 21 Oct 2025 07:28:00 GMT", 60), ("", 60),
    ] as [(String?, Int)])
  func retryAfter(header: String?, seconds: Int) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(busy(429, retryAfter: header))
    let first = try #require(await stage.silentFailure { $0.forceRefresh = true })
    #expect(first.outcomeName == "unhandledResponse")
    #expect(!first.isThrottlingCacheHit)
    try await stage.wait(.seconds(seconds - 1))
    let second = try #require(await stage.silentFailure { $0.forceRefresh = true })
    #expect(second.isThrottlingCacheHit)
    #expect(second.userInfo["MSALThrottlingCacheHitKey"] == 1)
    #expect(second.httpStatus == 429)
    #expect(stage.platform.count("token") == 2)
    try await stage.wait(.seconds(1))
    #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("A refusal is remembered for two minutes, or until the user signs in")
  func uiRequired() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_grant"))
    #expect(await stage.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == false)
    let again = await stage.silentFailure { $0.forceRefresh = true }
    #expect(again?.isThrottlingCacheHit == true)
    #expect(again?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 2)
    try await stage.wait(.seconds(120))
    stage.answer(FakePlatform.refusal("invalid_grant"))
    #expect(await stage.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == false)
    // Signing in brings a new refresh token, so the old request cannot come again: keep the old one.
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_token"] = nil } }
    _ = try await stage.signIn()
    #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("Another request is not held back: other scopes, and for refusals other claims")
  func otherRequests() async throws {
    let stage = try Stage()
    _ = try await stage.signIn(["User.Read", "Mail.Send"])
    stage.answer(busy(429, retryAfter: "60"))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    #expect(try await stage.silent(["Mail.Send"]) { $0.forceRefresh = true }.source == .refreshToken)
    stage.answer(FakePlatform.refusal("interaction_required"))
    _ = await stage.silentFailure(["Mail.Send"]) { $0.forceRefresh = true }
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    #expect(try await stage.silent(["Mail.Send"]) { $0.token.claimsRequest = request }.source == .refreshToken)
  }

  @Test("It holds for all application objects of one world, and for no other world's")
  func sharedByProcess() async throws {
    let (store, process) = (MemoryBlobStore(), ClientProcess())
    let stage = try Stage(store: store, process: process)
    _ = try await stage.signIn()
    stage.answer(busy(429, retryAfter: "60"))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    let second = try Stage(store: store, process: process)
    #expect(await second.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == true)
    #expect(second.platform.count("token") == 0)
    #expect(second.events.decisions.contains("throttling answered"))
    let elsewhere = try Stage(store: store)
    #expect(try await elsewhere.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("Signing in with one application object frees the others")
  func signInFrees() async throws {
    let (store, process, simulation) = (MemoryBlobStore(), ClientProcess(), Simulation())
    let stage = try Stage(store: store, process: process, simulation: simulation)
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_grant"))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    let second = try Stage(store: store, process: process, simulation: simulation)
    second.answer { form, platform in platform.tokens(for: form) { $0["refresh_token"] = nil } }
    _ = try await second.signIn()
    #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("A thousand failures are remembered; the one that was used the longest ago goes first")
  func capacity() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let refuse = FakePlatform.refusal("invalid_grant")
    func isRemembered(_ scope: String) async -> Bool {
      stage.answer(refuse)
      let error = await stage.silentFailure([scope])
      if error?.isThrottlingCacheHit == true { stage.platform.state.withLock { $0.answers = [] } }
      return error?.isThrottlingCacheHit == true
    }
    for index in 0..<1000 { #expect(await !isRemembered("scope-\(index)")) }
    #expect(await isRemembered("scope-0"))
    #expect(await !isRemembered("scope-1000"))
    #expect(await isRemembered("scope-0"))
    #expect(await !isRemembered("scope-1"))
  }

  @Test("A Retry-After with an OAuth error does not count: MSAL keeps no headers of it")
  func retryAfterOfOAuthError() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(FakePlatform.refusal("invalid_grant", headers: [.retryAfter: "600"]))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    try await stage.wait(.seconds(120))
    #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("A Retry-After with any HTTP error asks for rest")
  func anyStatus() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer(busy(403, retryAfter: "10"))
    _ = await stage.silentFailure { $0.forceRefresh = true }
    #expect(await stage.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == true)
  }
}
