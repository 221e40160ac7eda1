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

/// Tests rare cases in MSAL's silent calls.
@Suite("Silent requests: edge cases")
struct SilentEdgeCaseTests {
  static let unavailable: FakeServer.Responder = { _, _ in ResponseMessage(.serviceUnavailable) }

  /// Replaces text in the cache.
  func edit(_ client: TestClient, _ old: String, _ new: String) throws {
    try client.store.update { bytes in
      let text = String(decoding: bytes ?? [], as: UTF8.self)
      #expect(text.contains(old))
      bytes = Array(text.replacing(old, with: new).utf8)
    }
  }

  @Test("refreshes a token without a cached ID token and does not return it during an outage")
  func incomplete() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try edit(client, "\"IdToken\":{", "\"Elsewhere\":{")
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(await client.silentFailure()?.outcomeName == "unhandledResponse")
    #expect(client.events.decisions.contains("accessToken incomplete"))
    try await client.wait(.seconds(60))
    #expect(try await client.silent().source == .refreshToken)
  }

  @Test("requires interaction if a refresh is due without a refresh token")
  func dueRefresh() async throws {
    let client = try TestClient()
    client.enqueue { form, server in
      server.tokenResponse(for: form) {
        $0["refresh_in"] = 1800
        $0["refresh_token"] = nil
      }
    }
    _ = try await client.signIn()
    try await client.wait(.seconds(1801))
    #expect(await client.silentFailure()?.code == .interactionRequired)
    #expect(client.server.count("token") == 1)
  }

  @Test("returns a token that is due for refresh only in the request that received the 5xx response")
  func outageRefresh() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(1801))
    let connectionLost: FakeServer.Responder = { _, _ in throw TransportFailure.connectionLost("x") }
    client.enqueue(connectionLost, connectionLost)
    #expect(await client.silentFailure()?.outcomeName == "offline")
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(try await client.silent().source == .cache)
    #expect(client.server.count("token") == 5)
    let throttled = try #require(await client.silentFailure())
    #expect(throttled.isThrottlingCacheHit)
    #expect(throttled.outcomeName == "unhandledResponse")
    #expect(throttled.httpStatus == 503)
    #expect(client.server.count("token") == 5)
    #expect(client.events.decisions.suffix(2) == ["throttling not sent", "accessToken not returned"])
    try await client.wait(.seconds(60))
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(try await client.silent().source == .cache)
  }

  @Test("does not return a token that is due for refresh if the discovery document is unavailable")
  func metadataUnavailable() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(1801))
    let restarted = try TestClient(store: client.store, server: client.server, simulation: client.simulation)
    client.server.state.withLock { $0.overrides["metadata"] = { ResponseMessage(.serviceUnavailable) } }
    #expect(await restarted.silentFailure()?.httpStatus == 503)
  }

  @Test("returns an extended token only in the request that received the 5xx response")
  func extendedToken() async throws {
    let client = try TestClient { $0.extendedLifetimeEnabled = true }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(3600))
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(try await client.silent().extendedLifeTimeToken)
    #expect(await client.silentFailure()?.isThrottlingCacheHit == true)
    #expect(client.server.count("token") == 3)
  }

  @Test(
    "deletes and refreshes a token that is bound to a key or an enrollment",
    arguments: ["kid", "key_id", "enrollment_id"])
  func bound(field: String) async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    try edit(client, "\"token_type\":\"Bearer\"", "\"token_type\":\"Bearer\",\"\(field)\":\"x\"")
    #expect(try await client.silent().source == .refreshToken)
    #expect(try await client.silent().source == .cache)
    #expect(try UnifiedTokenCache(store: client.store).contents().count(.accessToken) == 1)
  }

  @Test("returns an extended token during an outage even if its cache time is in the future")
  func futureToken() async throws {
    let client = try TestClient { $0.extendedLifetimeEnabled = true }
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await client.signIn()
    try edit(client, "\"cached_at\":\"1735689600\"", "\"cached_at\":\"1735689700\"")
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(try await client.silent().extendedLifeTimeToken)
  }

  @Test("traces that the app has not enabled extended lifetimes")
  func notExtended() async throws {
    let client = try TestClient()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await client.signIn()
    try await client.wait(.seconds(3600))
    client.enqueue(Self.unavailable, Self.unavailable)
    #expect(await client.silentFailure()?.httpStatus == 503)
    #expect(client.events.decisions.last == "accessToken not extended")
  }

  // MARK: Validation order

  @Test("checks the account, the authority, the cache, and the scopes in that order")
  func order() async throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let b2c = try Authority(parsing: AuthorityTests.b2cURL)
    let client = try TestClient(store: store)
    let noAccount = await client.silentFailure(["openid"], account: nil) { $0.token.authority = b2c }
    #expect(noAccount?.code == .interactionRequired)
    #expect(await client.silentFailure(["openid"]) { $0.token.authority = b2c }?.internalCode == -42_000)
    let signedOut = try TestClient()
    _ = try await signedOut.signIn()
    try signedOut.application.remove(TestClient.megan)
    let requests = signedOut.server.total
    #expect(await signedOut.silentFailure(["openid"])?.code == .interactionRequired)
    #expect(signedOut.server.total == requests)
  }

  @Test("compares reserved scopes case-sensitively and does not reserve `email`")
  func scopes() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    #expect(await client.silentFailure(["OpenID"])?.outcomeName != "invalidParameter")
    #expect(await client.silentFailure(["User.Read", "profile"])?.outcomeName == "invalidParameter")
    #expect(try await client.silent(["User.Read", "email"]).source == .refreshToken)
  }

  // MARK: Accounts without an identifier

  @Test("finds an account without an identifier by its username and returns the identifier")
  func byUsername() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let account = Account(identifier: "", username: "MEGAN@contoso.com", environment: "login.microsoftonline.com")
    let result = try await client.silent(account: account)
    #expect(result.source == .cache)
    #expect(result.account.identifier == FakeServer.homeAccountID)
    #expect(client.events.decisions.contains("account found by username"))
    #expect(try await client.silent(account: result.account).source == .cache)
    let unknown = Account(identifier: "", username: "nobody@contoso.com", environment: "login.windows.net")
    #expect(await client.silentFailure(account: unknown)?.code == .interactionRequired)
  }

  // MARK: Token endpoint

  @Test("does not send a B2C refresh token to another host")
  func b2cHost() async throws {
    let client = try TestClient(authority: AuthorityTests.b2cURL) {
      $0.knownAuthorities = [try Authority(parsing: AuthorityTests.b2cURL)]
    }
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0" }
    }
    let result = try await client.signIn(["https://contoso.onmicrosoft.com/api/read"])
    let restarted = try TestClient(store: client.store, server: client.server) {
      $0.authority = try Authority(parsing: AuthorityTests.b2cURL)
      $0.knownAuthorities = [$0.authority]
    }
    client.server.state.withLock { state in
      state.metadata = {
        $0["issuer"] = "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0"
        $0["token_endpoint"] = "https://login.evil.example/token"
      }
    }
    let error = await restarted.silentFailure(["https://contoso.onmicrosoft.com/api/read"], account: result.account) {
      $0.forceRefresh = true
    }
    #expect(error?.code == .interactionRequired)
    #expect(client.server.count("token") == 1)
  }

  @Test("rejects a refreshed token with a different type")
  func tokenType() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue { form, server in server.tokenResponse(for: form) { $0["token_type"] = "pop" } }
    #expect(await client.silentFailure { $0.forceRefresh = true }?.internalCode == -42_600)
  }

  @Test("returns the server's error if the cache cannot be written")
  func readOnly() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    let store = ReadOnlyStore(bytes: try client.store.load() ?? [])
    let server = client.server
    let application = try PublicClientApplication(
      configuration: client.application.configuration,
      environment: ClientEnvironment(
        world: client.simulation.world,
        http: StubTransport { try server.respond($0) }, browser: server, store: store,
        trace: TraceRecorder(clock: client.simulation.clock)))
    client.enqueue(FakeServer.oauthError("invalid_grant", suberror: "bad_token", codes: [70008]))
    let outcome = await Result {
      try await client.simulation.run {
        try await application.acquireTokenSilent(SilentTests.forced(["User.Read"], "c"))
      }
    }
    let error = #expect(throws: MSALError.self) { try outcome.get() }
    #expect(error?.serverCode == "AADSTS70008")
  }
}
