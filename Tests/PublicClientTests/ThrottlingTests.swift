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

@Suite("Throttling of refresh requests")
struct ThrottlingTests {
  func httpError(_ status: Int, retryAfter: String?) -> FakeServer.Responder {
    { _, _ in
      var headers = HTTPFields()
      if let retryAfter { headers[.retryAfter] = retryAfter }
      return .json("{}", status: .init(code: status), headers: headers)
    }
  }

  @Test(
    "repeats an HTTP error without a request until the `Retry-After` time has passed",
    arguments: [
      (nil, 60), ("50", 50), ("5000", 5000), ("10000", 3600), ("Wed, 21 Oct 2025 07:28:00 GMT", 60), ("", 60),
    ] as [(String?, Int)])
  func retryAfter(header: String?, seconds: Int) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(httpError(429, retryAfter: header))
    let first = try #require(await client.silentFailure { $0.forceRefresh = true })
    #expect(first.outcomeName == "unhandledResponse")
    #expect(!first.isThrottlingCacheHit)
    try await client.wait(.seconds(seconds - 1))
    let second = try #require(await client.silentFailure { $0.forceRefresh = true })
    #expect(second.isThrottlingCacheHit)
    #expect(second.userInfo["MSALThrottlingCacheHitKey"] == 1)
    #expect(second.httpStatus == 429)
    #expect(client.server.count("token") == 2)
    try await client.wait(.seconds(1))
    #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("repeats an OAuth error for two minutes or until the user signs in")
  func oauthError() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    #expect(await client.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == false)
    let again = await client.silentFailure { $0.forceRefresh = true }
    #expect(again?.isThrottlingCacheHit == true)
    #expect(again?.code == .interactionRequired)
    #expect(client.server.count("token") == 2)
    try await client.wait(.seconds(120))
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    #expect(await client.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == false)
    // Omit the new refresh token, so that the next request is identical.
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_token"] = nil } }
    _ = try await client.signIn()
    #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("does not throttle requests with different scopes or claims")
  func otherRequests() async throws {
    let client = try TestClient()
    _ = try await client.signIn(["User.Read", "Mail.Send"])
    client.enqueue(httpError(429, retryAfter: "60"))
    _ = await client.silentFailure { $0.forceRefresh = true }
    #expect(try await client.silent(["Mail.Send"]) { $0.forceRefresh = true }.source == .refreshToken)
    client.enqueue(FakeServer.oauthError("interaction_required"))
    _ = await client.silentFailure(["Mail.Send"]) { $0.forceRefresh = true }
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    #expect(try await client.silent(["Mail.Send"]) { $0.token.claimsRequest = request }.source == .refreshToken)
  }

  @Test("throttles all clients in a process, but not clients in other processes")
  func processScope() async throws {
    let (store, process) = (MemoryBlobStore(), ClientProcess())
    let client = try TestClient(store: store, process: process)
    _ = try await client.signIn()
    client.enqueue(httpError(429, retryAfter: "60"))
    _ = await client.silentFailure { $0.forceRefresh = true }
    let second = try TestClient(store: store, process: process)
    #expect(await second.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == true)
    #expect(second.server.count("token") == 0)
    #expect(second.events.decisions.contains("throttling not sent"))
    let otherProcess = try TestClient(store: store)
    #expect(try await otherProcess.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("ends throttling for all clients in a process when the user signs in")
  func signInEndsThrottling() async throws {
    let (store, process, simulation) = (MemoryBlobStore(), ClientProcess(), Simulation())
    let client = try TestClient(store: store, process: process, simulation: simulation)
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    _ = await client.silentFailure { $0.forceRefresh = true }
    let second = try TestClient(store: store, process: process, simulation: simulation)
    second.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_token"] = nil } }
    _ = try await second.signIn()
    #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("tracks up to 1,000 throttled requests and evicts the least recently used one")
  func capacity() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let invalidGrant = FakeServer.oauthError("invalid_grant")
    func isThrottled(_ scope: String) async -> Bool {
      client.enqueue(invalidGrant)
      let error = await client.silentFailure([scope])
      if error?.isThrottlingCacheHit == true { client.server.state.withLock { $0.responders = [] } }
      return error?.isThrottlingCacheHit == true
    }
    for index in 0..<1000 { #expect(await !isThrottled("scope-\(index)")) }
    #expect(await isThrottled("scope-0"))
    #expect(await !isThrottled("scope-1000"))
    #expect(await isThrottled("scope-0"))
    #expect(await !isThrottled("scope-1"))
  }

  @Test("ignores `Retry-After` in responses with an OAuth error")
  func oauthErrors() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(FakeServer.oauthError("invalid_grant", headers: [.retryAfter: "600"]))
    _ = await client.silentFailure { $0.forceRefresh = true }
    try await client.wait(.seconds(120))
    #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
  }

  @Test("throttles after any HTTP error with `Retry-After`")
  func anyStatus() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue(httpError(403, retryAfter: "10"))
    _ = await client.silentFailure { $0.forceRefresh = true }
    #expect(await client.silentFailure { $0.forceRefresh = true }?.isThrottlingCacheHit == true)
  }
}
