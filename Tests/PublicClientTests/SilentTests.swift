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
  @Test("A cached token answers without a token request")
  func cacheHit() async throws {
    let stage = try Stage()
    let first = try await stage.signIn()
    let result = try await stage.silent()
    #expect(result.source == .cache)
    #expect(result.accessToken == first.accessToken)
    #expect(result.scopes == ["User.Read", "openid", "profile"])
    #expect(result.account.username == "megan@contoso.com")
    #expect(result.idTokenClaims["name"] == "Megan Bowen")
    #expect(result.authority == "https://login.microsoftonline.com/\(FakePlatform.utid)")
    #expect(!result.extendedLifeTimeToken)
    #expect(stage.platform.count("token") == 1)
    #expect(stage.platform.count("instance") == 1)
    #expect(stage.events.decisions.suffix(2) == ["authority chosen", "accessToken hit"])
  }

  @Test("Fewer scopes are served, more are not; the trace says which is missing")
  func scopes() async throws {
    let stage = try Stage()
    _ = try await stage.signIn(["User.Read", "Mail.Send"])
    #expect(try await stage.silent(["MAIL.send"]).source == .cache)
    #expect(try await stage.silent(["User.Read", "Files.Read"]).source == .refreshToken)
    #expect(stage.events.text.contains("lacks Files.Read"))
  }

  @Test(
    "A token counts as expired when it ends strictly within the buffer",
    arguments: [(3299, TokenResult.Source.cache), (3300, .cache), (3301, .refreshToken)])
  func buffer(seconds: Int, source: TokenResult.Source) async throws {
    let platform = FakePlatform()
    // Without any latency, so that the moments are exact.
    let stage = try Stage(platform: platform, transport: StubTransport { try platform.respond($0) })
    _ = try await stage.signIn()
    try await stage.wait(.seconds(seconds))
    #expect(try await stage.silent().source == source)
  }

  @Test(
    "the trace says whether a rejected token is about to expire or has expired",
    arguments: [
      (3301, "expires at 2025-01-01T01:00:00Z, within the buffer of 300 seconds"),
      (3599, "expires at 2025-01-01T01:00:00Z, within the buffer of 300 seconds"),
      (3600, "expired at 2025-01-01T01:00:00Z"), (86_400, "expired at 2025-01-01T01:00:00Z"),
    ])
  func expiryReason(seconds: Int, reason: String) async throws {
    let platform = FakePlatform()
    let stage = try Stage(platform: platform, transport: StubTransport { try platform.respond($0) })
    _ = try await stage.signIn()
    try await stage.wait(.seconds(seconds))
    _ = try await stage.silent()
    #expect(stage.events.decisions.contains("accessToken expired"))
    #expect(stage.events.text.contains("\"\(reason)\""))
  }

  @Test("A forced refresh and a claims request leave the cache alone, capabilities do not")
  func bypass() async throws {
    let stage = try Stage { $0.clientApplicationCapabilities = ["CP1"] }
    _ = try await stage.signIn()
    #expect(try await stage.silent().source == .cache)
    #expect(try await stage.silent { $0.forceRefresh = true }.source == .refreshToken)
    var claims = ClaimsRequest()
    claims.request("acrs", in: .accessToken)
    let request = claims
    let result = try await stage.silent { $0.token.claimsRequest = request }
    #expect(result.source == .refreshToken)
    #expect(result.sent?.parameters["claims"] == #"{"access_token":{"acrs":null,"xms_cc":{"values":["CP1"]}}}"#)
  }

  @Test("The refresh request, byte for byte of its form")
  func refreshForm() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    _ = try await stage.silent { $0.forceRefresh = true }
    let form = try #require(stage.platform.state.withLock { $0.tokenRequests.last })
    #expect(
      FormCoding.serialize(form)
        == "client_id=\(FakePlatform.clientID)&scope=User.Read+openid+profile+offline_access&grant_type=refresh_token"
        + "&client_info=1&refresh_token=refresh-1&redirect_uri=msauth.com.contoso.mail%3A%2F%2Fauth")
  }

  @Test("Without an account, after signing out, or without a refresh token the user is needed")
  func interactionRequired() async throws {
    let stage = try Stage()
    #expect(await stage.silentFailure(account: nil)?.code == .interactionRequired)
    #expect(await stage.silentFailure()?.code == .interactionRequired)
    #expect(stage.platform.count("token") == 0)
    _ = try await stage.signIn()
    _ = try await stage.application.signOut(SignOutParameters(account: Stage.megan))
    let before = stage.platform.count("token")
    let error = await stage.silentFailure()
    #expect(error?.outcomeName == "interactionRequired")
    #expect(stage.platform.count("token") == before)
    #expect(stage.events.decisions.last == "account signed out")
  }

  @Test(
    "What the app may not ask for",
    arguments: [["openid"], ["User.Read", "offline_access"], [FakePlatform.clientID], [], [" "]])
  func reservedScopes(scopes: [String]) async throws {
    let stage = try Stage()
    let error = await stage.silentFailure(scopes)
    #expect(error?.outcomeName == "invalidParameter")
    #expect(error?.internalCode == -42_000)
    #expect(stage.platform.count("instance") == 0)
  }

  @Test("An aging token is renewed ahead of time, and kept only while the server is down")
  func proactive() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(1801))
    let down: FakePlatform.Answer = { _, _ in ResponseMessage(.serviceUnavailable) }
    stage.answer(down, down)
    let kept = try await stage.silent()
    #expect(kept.source == .cache)
    #expect(!kept.extendedLifeTimeToken)
    #expect(stage.events.decisions.suffix(3).contains("request retry"))
    try await stage.wait(.seconds(61))
    #expect(try await stage.silent().source == .refreshToken)
  }

  @Test("An aging token does not hide that the server refuses")
  func proactiveRefused() async throws {
    let stage = try Stage()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_in"] = 1800 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(1801))
    stage.answer(FakePlatform.refusal("invalid_grant", codes: [50173]))
    let error = await stage.silentFailure()
    #expect(error?.code == .interactionRequired)
    #expect(error?.serverCode == "AADSTS50173")
  }

  @Test(
    "An expired token serves longer only where the app allows it and the service is down", arguments: [true, false])
  func extendedLifetime(isEnabled: Bool) async throws {
    let stage = try Stage { $0.extendedLifetimeEnabled = isEnabled }
    stage.answer { form, platform in platform.tokens(for: form) { $0["ext_expires_in"] = 7200 } }
    _ = try await stage.signIn()
    try await stage.wait(.seconds(3600))
    let down: FakePlatform.Answer = { _, _ in ResponseMessage(.init(code: 504)) }
    stage.answer(down, down)
    if isEnabled {
      let result = try await stage.silent()
      #expect(result.extendedLifeTimeToken)
      #expect(result.source == .cache)
    } else {
      let error = await stage.silentFailure()
      #expect(error?.outcomeName == "unhandledResponse")
      #expect(error?.httpStatus == 504)
      #expect(error?.underlying == nil)
    }
  }

  @Test("An expired token is deleted before the refresh")
  func expiredDeleted() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    try await stage.wait(.seconds(3600))
    stage.answer(FakePlatform.refusal("invalid_grant"))
    _ = await stage.silentFailure()
    let contents = try UnifiedTokenCache(store: stage.store).contents()
    #expect(contents.count(.accessToken) == 0)
    #expect(contents.count(.refreshToken) == 1)
  }

  @Test("A token from the future means that the clock was set back: it is renewed")
  func clockSetBack() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let cache = UnifiedTokenCache(store: stage.store)
    let text = String(decoding: try cache.contents().bytes, as: UTF8.self)
    let later = text.replacing("\"cached_at\":\"1735689600\"", with: "\"cached_at\":\"1735689700\"")
    #expect(later != text)
    try stage.store.update { $0 = Array(later.utf8) }
    #expect(try await stage.silent().source == .refreshToken)
  }

  @Test("A refresh that brings no refresh token keeps the old one")
  func oldRefreshTokenKept() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer { form, platform in platform.tokens(for: form) { $0["refresh_token"] = nil } }
    _ = try await stage.silent { $0.forceRefresh = true }
    _ = try await stage.silent { $0.forceRefresh = true }
    #expect(
      stage.platform.state.withLock { $0.tokenRequests.map { $0["refresh_token"] } } == [nil, "refresh-1", "refresh-1"])
  }

  @Test("Two calls for the same token share one redemption, two for different tokens do not")
  func shared() async throws {
    let stage = try Stage()
    _ = try await stage.signIn(["User.Read", "Mail.Send"])
    let same = try await stage.simulation.run {
      async let one = stage.application.acquireTokenSilent(Self.forced(["User.Read", "Mail.Send"], "c-1"))
      async let two = stage.application.acquireTokenSilent(Self.forced(["Mail.Send", "user.read"], "c-2"))
      return try await [one, two]
    }
    #expect(stage.platform.count("token") == 2)
    #expect(same[0].accessToken == same[1].accessToken)
    #expect(Set(same.map(\.correlationID)) == ["c-1", "c-2"])
    let other = try await stage.simulation.run {
      async let one = stage.application.acquireTokenSilent(Self.forced(["User.Read"], "c-3"))
      async let two = stage.application.acquireTokenSilent(Self.forced(["Mail.Send"], "c-4"))
      return try await [one, two]
    }
    #expect(stage.platform.count("token") == 4)
    #expect(other[0].accessToken != other[1].accessToken)
  }

  static func forced(_ scopes: [String], _ correlationID: String) -> SilentParameters {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: Stage.megan))
    parameters.forceRefresh = true
    parameters.token.correlationID = correlationID
    return parameters
  }

  @Test("No secret reaches the trace or what is said to be sent")
  func masked() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    let result = try await stage.silent { $0.forceRefresh = true }
    let sent = try #require(result.sent).json.text()
    for secret in ["access-1", "access-2", "refresh-1", "refresh-2", "code-1"] {
      #expect(!stage.events.text.contains(secret))
      #expect(!sent.contains(secret))
    }
    #expect(stage.events.text.contains("‹access token #1›"))
    #expect(result.sent?.parameters["refresh_token"] == "‹refresh token›")
  }
}
