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

/// The branches of MSAL's decision tree for silent calls that are seldom taken.
@Suite("Silent requests, seldom branches")
struct SilentTreeTests {
  static let down: FakePlatform.Answer = { _, _ in ResponseMessage(.serviceUnavailable) }

  /// Changes the stored text.
  func edit(_ stage: Stage, _ old: String, _ new: String) throws {
    try stage.store.update { bytes in
      let text = String(decoding: bytes ?? [], as: UTF8.self)
      #expect(text.contains(old))
      bytes = Array(text.replacing(old, with: new).utf8)
    }
  }

  @Test("A valid token without its ID token is renewed; a server that is down is an error then")
  func incomplete() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try edit(stage, "\"IdToken\":{", "\"Elsewhere\":{")
    stage.answer(Self.down, Self.down)
    #expect(await stage.silentFailure()?.outcomeName == "unhandledResponse")
    #expect(stage.events.decisions.contains("accessToken incomplete"))
    try await stage.wait(.seconds(60))
    #expect(try await stage.silent().source == .refreshToken)
  }

  @Test("An aging token does not help where there is no refresh token")
  func agingWithoutRefreshToken() async throws {
    let stage = try Stage()
    stage.answer { form, platform in
      platform.tokens(for: form) {
        $0["refresh_in"] = 1800
        $0["refresh_token"] = nil
      }
    }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(1801))
    #expect(await stage.silentFailure()?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 1)
  }

  @Test("returns an aging token only in the request that received the 5xx")
  func agingWithoutNetwork() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(1801))
    let lost: FakePlatform.Answer = { _, _ in throw TransportFailure.connectionLost("x") }
    stage.answer(lost, lost)
    #expect(await stage.silentFailure()?.outcomeName == "offline")
    stage.answer(Self.down, Self.down)
    #expect(try await stage.silent().source == .cache)
    #expect(stage.platform.count("token") == 5)
    let throttled = try #require(await stage.silentFailure())
    #expect(throttled.isThrottlingCacheHit)
    #expect(throttled.outcomeName == "unhandledResponse")
    #expect(throttled.httpStatus == 503)
    #expect(stage.platform.count("token") == 5)
    #expect(stage.events.decisions.suffix(2) == ["throttling answered", "accessToken not returned"])
    try await stage.wait(.seconds(60))
    stage.answer(Self.down, Self.down)
    #expect(try await stage.silent().source == .cache)
  }

  @Test("does not return an aging token if the discovery document is unavailable")
  func metadataDown() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(1801))
    let restarted = try Stage(store: stage.store, platform: stage.platform, simulation: stage.simulation)
    stage.platform.state.withLock { $0.special["metadata"] = { ResponseMessage(.serviceUnavailable) } }
    #expect(await restarted.silentFailure()?.httpStatus == 503)
  }

  @Test("returns an extended token only in the request that received the 5xx")
  func extendedWhileThrottled() async throws {
    let stage = try Stage { $0.extendedLifetimeEnabled = true }
    stage.answer { form, platform in platform.tokens(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(3600))
    stage.answer(Self.down, Self.down)
    #expect(try await stage.silent().extendedLifeTimeToken)
    #expect(await stage.silentFailure()?.isThrottlingCacheHit == true)
    #expect(stage.platform.count("token") == 3)
  }

  @Test(
    "A token that is bound to a key, or to an enrollment that is no more, is deleted and renewed",
    arguments: ["kid", "key_id", "enrollment_id"])
  func bound(field: String) async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try edit(stage, "\"token_type\":\"Bearer\"", "\"token_type\":\"Bearer\",\"\(field)\":\"x\"")
    #expect(try await stage.silent().source == .refreshToken)
    #expect(try await stage.silent().source == .cache)
    #expect(try UnifiedTokenCache(store: stage.store).contents().count(.accessToken) == 1)
  }

  @Test("A token from the future that may be extended is kept in reserve")
  func futureExtended() async throws {
    let stage = try Stage { $0.extendedLifetimeEnabled = true }
    stage.answer { form, platform in platform.tokens(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await stage.signIn()
    try edit(stage, "\"cached_at\":\"1735689600\"", "\"cached_at\":\"1735689700\"")
    stage.answer(Self.down, Self.down)
    #expect(try await stage.silent().extendedLifeTimeToken)
  }

  @Test("The app forbids extended lifetimes: the trace says so")
  func notExtended() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(3600))
    stage.answer(Self.down, Self.down)
    #expect(await stage.silentFailure()?.httpStatus == 503)
    #expect(stage.events.decisions.last == "accessToken not extended")
  }

  // MARK: The order of the checks before

  @Test("Each check comes before the next one")
  func order() async throws {
    let store = MemoryBlobStore(Array("{broken".utf8))
    let b2c = try Authority(parsing: AuthorityTests.b2cURL)
    let stage = try Stage(store: store)
    let noAccount = await stage.silentFailure(["openid"], account: nil) { $0.token.authority = b2c }
    #expect(noAccount?.code == .interactionRequired)
    #expect(await stage.silentFailure(["openid"]) { $0.token.authority = b2c }?.internalCode == -42_000)
    let signedOut = try Stage()
    _ = try await signedOut.signIn()
    try signedOut.application.remove(Stage.megan)
    let requests = signedOut.platform.total
    #expect(await signedOut.silentFailure(["openid"])?.code == .interactionRequired)
    #expect(signedOut.platform.total == requests)
  }

  @Test("Reserved scopes compare with regard to case; the client id is a scope for B2C only")
  func scopes() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    #expect(await stage.silentFailure(["OpenID"])?.outcomeName != "invalidParameter")
    #expect(await stage.silentFailure(["User.Read", "profile"])?.outcomeName == "invalidParameter")
    #expect(try await stage.silent(["User.Read", "email"]).source == .refreshToken)
  }

  // MARK: Accounts of which only the name is known

  @Test("An account from ADAL: by its name the first time, by its identifier from then on")
  func byName() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let named = Account(identifier: "", username: "MEGAN@contoso.com", environment: "login.microsoftonline.com")
    let result = try await stage.silent(account: named)
    #expect(result.source == .cache)
    #expect(result.account.identifier == FakePlatform.home)
    #expect(stage.events.decisions.contains("account found by name"))
    #expect(try await stage.silent(account: result.account).source == .cache)
    let unknown = Account(identifier: "", username: "nobody@contoso.com", environment: "login.windows.net")
    #expect(await stage.silentFailure(account: unknown)?.code == .interactionRequired)
  }

  // MARK: Guards

  @Test("Also B2C's refresh tokens stay with their host")
  func b2cGuard() async throws {
    let stage = try Stage(authority: AuthorityTests.b2cURL) {
      $0.knownAuthorities = [try Authority(parsing: AuthorityTests.b2cURL)]
    }
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0" }
    }
    let result = try await stage.signIn(["https://contoso.onmicrosoft.com/api/read"])
    let later = try Stage(store: stage.store, platform: stage.platform) {
      $0.authority = try Authority(parsing: AuthorityTests.b2cURL)
      $0.knownAuthorities = [$0.authority]
    }
    stage.platform.state.withLock { state in
      state.metadata = {
        $0["issuer"] = "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0"
        $0["token_endpoint"] = "https://login.evil.example/token"
      }
    }
    let error = await later.silentFailure(["https://contoso.onmicrosoft.com/api/read"], account: result.account) {
      $0.forceRefresh = true
    }
    #expect(error?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 1)
  }

  @Test("A refreshed token of another type is no answer")
  func tokenType() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer { form, platform in platform.tokens(for: form) { $0["token_type"] = "pop" } }
    #expect(await stage.silentFailure { $0.forceRefresh = true }?.internalCode == -42_600)
  }

  @Test("A cache that cannot be written does not hide what the server said")
  func readOnly() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let store = ReadOnlyStore(bytes: try stage.store.load() ?? [])
    let platform = stage.platform
    let application = try PublicClientApplication(
      configuration: stage.application.configuration, world: stage.simulation.world,
      http: StubTransport { try platform.respond($0) }, browser: platform, store: store,
      trace: TraceRecorder(clock: stage.simulation.clock))
    stage.answer(FakePlatform.refusal("invalid_grant", suberror: "bad_token", codes: [70008]))
    let outcome = await Result {
      try await stage.simulation.run {
        try await application.acquireTokenSilent(SilentTests.forced(["User.Read"], "c"))
      }
    }
    let error = #expect(throws: MSALError.self) { try outcome.get() }
    #expect(error?.serverCode == "AADSTS70008")
  }
}
