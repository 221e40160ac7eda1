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

@Suite("Silent requests")
struct SilentTests {
  @Test("returns a cached token without a token request")
  func cacheHit() async throws {
    let client = try TestClient()
    let first = try await client.signIn()
    let result = try await client.silent()
    #expect(result.source == .cache)
    #expect(result.accessToken == first.accessToken)
    #expect(result.scopes == ["User.Read", "openid", "profile"])
    #expect(result.account.username == "megan@contoso.com")
    #expect(result.idTokenClaims["name"] == "Megan Bowen")
    #expect(result.authority == "https://login.microsoftonline.com/\(FakeServer.utid)")
    #expect(!result.extendedLifeTimeToken)
    #expect(client.server.count("token") == 1)
    #expect(client.server.count("instance") == 1)
    #expect(client.events.decisions.suffix(2) == ["authority selected", "accessToken hit"])
  }

  @Test("refreshes if the cached token lacks a scope and traces the missing scopes")
  func scopes() async throws {
    let client = try TestClient()
    _ = try await client.signIn(["User.Read", "Mail.Send"])
    #expect(try await client.silent(["MAIL.send"]).source == .cache)
    #expect(try await client.silent(["User.Read", "Files.Read"]).source == .refreshToken)
    #expect(client.events.text.contains("does not include Files.Read"))
  }

  @Test(
    "treats a token as expired if it expires strictly within the buffer",
    arguments: [(3299, TokenResult.Source.cache), (3300, .cache), (3301, .refreshToken)])
  func buffer(seconds: Int, source: TokenResult.Source) async throws {
    let server = FakeServer()
    // The client has no latency, so that the times are exact.
    let client = try TestClient(server: server, transport: StubTransport { try server.respond($0) })
    _ = try await client.signIn()
    try await client.wait(.seconds(seconds))
    #expect(try await client.silent().source == source)
  }

  @Test(
    "traces whether a token has expired or expires within the buffer",
    arguments: [
      (3301, "expires at 2025-01-01T01:00:00Z, which is within the buffer of 300 s"),
      (3599, "expires at 2025-01-01T01:00:00Z, which is within the buffer of 300 s"),
      (3600, "expired at 2025-01-01T01:00:00Z"), (86_400, "expired at 2025-01-01T01:00:00Z"),
    ])
  func expiryReason(seconds: Int, reason: String) async throws {
    let server = FakeServer()
    let client = try TestClient(server: server, transport: StubTransport { try server.respond($0) })
    _ = try await client.signIn()
    try await client.wait(.seconds(seconds))
    _ = try await client.silent()
    #expect(client.events.decisions.contains("accessToken expired"))
    #expect(client.events.text.contains("\"\(reason)\""))
  }

  @Test("bypasses the cache for forced refreshes and claims requests, but not for capabilities")
  func bypass() async throws {
    let client = try TestClient { $0.clientApplicationCapabilities = ["CP1"] }
    _ = try await client.signIn()
    #expect(try await client.silent().source == .cache)
    #expect(try await client.silent { $0.forceRefresh = true }.source == .refreshToken)
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    let result = try await client.silent { $0.token.claimsRequest = request }
    #expect(result.source == .refreshToken)
    #expect(result.sent?.parameters["claims"] == #"{"access_token":{"acrs":null,"xms_cc":{"values":["CP1"]}}}"#)
  }

  @Test("sends exactly the same form as MSAL in the refresh request")
  func refreshForm() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    _ = try await client.silent { $0.forceRefresh = true }
    let form = try #require(client.server.state.withLock { $0.tokenRequests.last })
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakeServer.clientID)&scope=User.Read+openid+profile+offline_access&grant_type=refresh_token"
        + "&client_info=1&refresh_token=refresh-1&redirect_uri=msauth.com.contoso.mail%3A%2F%2Fauth")
  }

  @Test("requires interaction without an account, after sign-out, or without a refresh token")
  func interactionRequired() async throws {
    let client = try TestClient()
    #expect(await client.silentFailure(account: nil)?.code == .interactionRequired)
    #expect(await client.silentFailure()?.code == .interactionRequired)
    #expect(client.server.count("token") == 0)
    _ = try await client.signIn()
    _ = try await client.application.signOut(SignOutParameters(account: TestClient.megan))
    let before = client.server.count("token")
    let error = await client.silentFailure()
    #expect(error?.outcomeName == "interactionRequired")
    #expect(client.server.count("token") == before)
    #expect(client.events.decisions.last == "account signed out")
  }

  @Test(
    "rejects reserved and missing scopes",
    arguments: [["openid"], ["User.Read", "offline_access"], [FakeServer.clientID], [], [" "]])
  func reservedScopes(scopes: [String]) async throws {
    let client = try TestClient()
    let error = await client.silentFailure(scopes)
    #expect(error?.outcomeName == "invalidParameter")
    #expect(error?.internalCode == -42_000)
    #expect(client.server.count("instance") == 0)
  }

  @Test("refreshes a token after `refresh_in`, or returns it if the service is unavailable")
  func proactive() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(1801))
    let unavailable: FakeServer.Responder = { _, _ in ResponseMessage(.serviceUnavailable) }
    client.enqueue(unavailable, unavailable)
    let cached = try await client.silent()
    #expect(cached.source == .cache)
    #expect(!cached.extendedLifeTimeToken)
    #expect(client.events.decisions.suffix(3).contains("request retried"))
    try await client.wait(.seconds(61))
    #expect(try await client.silent().source == .refreshToken)
  }

  @Test("returns the error if the service rejects a proactive refresh")
  func proactiveRejected() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(1801))
    client.enqueue(FakeServer.oauthError("invalid_grant", codes: [50173]))
    let error = await client.silentFailure()
    #expect(error?.code == .interactionRequired)
    #expect(error?.serverCode == "AADSTS50173")
  }

  @Test(
    "returns an expired token during an outage only if the app enables extended lifetimes", arguments: [true, false])
  func extendedLifetime(isEnabled: Bool) async throws {
    let client = try TestClient { $0.extendedLifetimeEnabled = isEnabled }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(3600))
    let unavailable: FakeServer.Responder = { _, _ in ResponseMessage(.init(code: 504)) }
    client.enqueue(unavailable, unavailable)
    if isEnabled {
      let result = try await client.silent()
      #expect(result.extendedLifeTimeToken)
      #expect(result.source == .cache)
    } else {
      let error = await client.silentFailure()
      #expect(error?.outcomeName == "unhandledResponse")
      #expect(error?.httpStatus == 504)
      #expect(error?.underlying == nil)
    }
  }

  @Test("deletes an expired token before the refresh")
  func expiredDeleted() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try await client.wait(.seconds(3600))
    client.enqueue(FakeServer.oauthError("invalid_grant"))
    _ = await client.silentFailure()
    let contents = try UnifiedTokenCache(store: client.store).contents()
    #expect(contents.count(.accessToken) == 0)
    #expect(contents.count(.refreshToken) == 1)
  }

  @Test("refreshes a token whose cache time is in the future")
  func clockChange() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let cache = UnifiedTokenCache(store: client.store)
    let text = String(decoding: try cache.contents().bytes, as: UTF8.self)
    let edited = text.replacing("\"cached_at\":\"1735689600\"", with: "\"cached_at\":\"1735689700\"")
    #expect(edited != text)
    try client.store.update { $0 = Array(edited.utf8) }
    #expect(try await client.silent().source == .refreshToken)
  }

  @Test("keeps the refresh token if a refresh does not return a new one")
  func retainedRefreshToken() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_token"] = nil } }
    _ = try await client.silent { $0.forceRefresh = true }
    _ = try await client.silent { $0.forceRefresh = true }
    #expect(
      client.server.state.withLock { $0.tokenRequests.map { $0["refresh_token"] } } == [nil, "refresh-1", "refresh-1"])
  }

  @Test("concurrent calls share a redemption only for the same scopes")
  func shared() async throws {
    let client = try TestClient()
    _ = try await client.signIn(["User.Read", "Mail.Send"])
    let same = try await client.simulation.run {
      async let one = client.application.acquireTokenSilent(Self.forced(["User.Read", "Mail.Send"], "c-1"))
      async let two = client.application.acquireTokenSilent(Self.forced(["Mail.Send", "user.read"], "c-2"))
      return try await [one, two]
    }
    #expect(client.server.count("token") == 2)
    #expect(same[0].accessToken == same[1].accessToken)
    #expect(Set(same.map(\.correlationID)) == ["c-1", "c-2"])
    let other = try await client.simulation.run {
      async let one = client.application.acquireTokenSilent(Self.forced(["User.Read"], "c-3"))
      async let two = client.application.acquireTokenSilent(Self.forced(["Mail.Send"], "c-4"))
      return try await [one, two]
    }
    #expect(client.server.count("token") == 4)
    #expect(other[0].accessToken != other[1].accessToken)
  }

  static func forced(_ scopes: [String], _ correlationID: String) -> SilentParameters {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: TestClient.megan))
    parameters.forceRefresh = true
    parameters.token.correlationID = correlationID
    return parameters
  }

  @Test("masks secrets in the trace and in the reported request")
  func masked() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let result = try await client.silent { $0.forceRefresh = true }
    let sent = try #require(result.sent).json.text()
    for secret in ["access-1", "access-2", "refresh-1", "refresh-2", "code-1"] {
      #expect(!client.events.text.contains(secret))
      #expect(!sent.contains(secret))
    }
    #expect(client.events.text.contains("‹access token #1›"))
    #expect(result.sent?.parameters["refresh_token"] == "‹refresh token›")
  }
}
