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

/// Whose the refreshed tokens are, what they say where the answer says little, and what may not be made of them.
@Suite("Whose refreshed tokens are")
struct RefreshOwnershipTests {
  static let issuer = "https://id.example.com/realm"
  static let alice = Account(identifier: "alice", username: "alice", environment: "id.example.com")

  /// A plain provider with somebody signed in.
  func provider(scope: String? = nil) async throws -> (Stage, TokenResult) {
    let stage = try Stage { $0.authority = try Authority(parsing: Self.issuer, as: .oidc) }
    stage.platform.state.withLock { state in
      state.metadata = { $0["issuer"] = .string(Self.issuer) }
      state.claims = {
        $0["iss"] = .string(Self.issuer)
        $0["sub"] = "alice"
        $0["preferred_username"] = "alice@example.com"
        $0["tid"] = nil
        $0["oid"] = nil
      }
    }
    stage.answer { form, platform in
      platform.tokens(for: form) {
        $0["client_info"] = nil
        $0["scope"] = scope.map { .string($0) }
      }
    }
    return (stage, try await stage.signIn(["api.read"]))
  }

  @Test("A plain provider's refresh without an ID token (OpenID Connect Core §12.2) keeps the name and the claims")
  func refreshWithoutIDToken() async throws {
    let (stage, signedIn) = try await provider()
    stage.answer { _, _ in .json(#"{"access_token": "new", "token_type": "Bearer", "expires_in": 60}"#) }
    let result = try await stage.silent(["api.read"], account: signedIn.account) { $0.forceRefresh = true }
    #expect(result.account.username == "alice@example.com")
    #expect(result.tenantProfile.identifier == "alice")
    #expect(result.idTokenClaims["sub"] == "alice")
  }

  @Test(
    "What was granted is asked for again: all of it where the answer named no scope (RFC 6749 §5.1)",
    arguments: [
      (nil, "api.read openid profile offline_access"),
      ("openid api.read", "api.read openid"),
      ("api.read openid offline_access", "api.read openid offline_access"),
    ] as [(String?, String)])
  func scopeOfTheRefresh(granted: String?, asked: String) async throws {
    let (stage, signedIn) = try await provider(scope: granted)
    _ = try? await stage.silent(["api.read"], account: signedIn.account) { $0.forceRefresh = true }
    let form = FormCoding.parse(body: stage.platform.last("token")?.body ?? [])
    #expect(form["scope"] == asked)
  }

  @Test("A plain provider's refreshed ID token of somebody else is refused, also where none is cached to compare with")
  func anotherSubject() async throws {
    let (stage, signedIn) = try await provider()
    try stage.store.update { bytes in
      var json = try JSON(parsing: bytes ?? [])
      json["IdToken"] = [:]
      bytes = Array(json.text().utf8)
    }
    stage.answer { form, platform in
      platform.state.withLock { state in
        state.claims = {
          $0["iss"] = .string(Self.issuer)
          $0["sub"] = "mallory"
        }
      }
      return platform.tokens(for: form) { $0["client_info"] = nil }
    }
    let error = await stage.silentFailure(["api.read"], account: signedIn.account) { $0.forceRefresh = true }
    #expect(error?.internalCode == MSALInternalErrorCode.mismatchedUser.rawValue)
    #expect(!String(decoding: try stage.store.load() ?? [], as: UTF8.self).contains("mallory"))
  }

  @Test("Who signs out while the token is being refreshed stays signed out")
  func signOutMeanwhile() async throws {
    let stage = try Stage()
    let signedIn = try await stage.signIn()
    let application = stage.application
    stage.answer { form, platform in
      // While the answer is on its way.
      try application.remove(signedIn.account)
      return platform.tokens(for: form)
    }
    let error = await stage.silentFailure { $0.forceRefresh = true }
    #expect(stage.platform.count("token") == 2)
    #expect(error?.code == .interactionRequired)
    #expect(try application.accounts().isEmpty)
    #expect(!String(decoding: try stage.store.load() ?? [], as: UTF8.self).contains("access-2"))
  }

  @Test("That the keys cannot be had for a while does not hold the redemption back")
  func keysAreDown() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.platform.state.withLock { state in
      state.key = 2
      state.publishedKey = 2
      state.special["keys"] = { .json("{}", status: .serviceUnavailable) }
    }
    #expect(await stage.silentFailure { $0.forceRefresh = true } != nil)
    stage.platform.state.withLock { $0.special["keys"] = nil }
    let result = try await stage.silent { $0.forceRefresh = true }
    #expect(result.source == .refreshToken)
  }

  @Test("A cached ID token that is none makes no half-filled result", arguments: ["garbage", "a.b.c", ""])
  func brokenIDToken(text: String) async throws {
    let stage = try Stage()
    let token = try #require(try await stage.signIn().idToken?.reveal())
    try stage.store.update { bytes in
      bytes = Array(String(decoding: bytes ?? [], as: UTF8.self).replacing(token, with: text).utf8)
    }
    #expect(try await stage.silent().source == .refreshToken)
  }

  @Test("A plain provider is not told Microsoft's account hints")
  func hintsOfThePlainProvider() async throws {
    let (stage, _) = try await provider()
    let dotted = Account(identifier: "alice.smith", username: "", environment: "id.example.com")
    _ = await stage.signInFailure(["api.read"]) {
      $0.token.account = dotted
      $0.loginHint = "alice@example.com"
    }
    let query = URLReference(stage.platform.state.withLock { $0.visits.last?.url } ?? "").parameters
    #expect(query["login_req"] == nil && query["domain_req"] == nil)
    #expect(query["login_hint"] == "alice@example.com")
  }

  @Test("One element with several scopes is several; the wire has them as typed, and OpenID Connect's beside them")
  func scopesAsTyped() async throws {
    let stage = try Stage()
    _ = try await stage.signIn(["User.Read Mail.Read", "OpenID"])
    let query = URLReference(stage.platform.state.withLock { $0.visits.last?.url } ?? "").parameters
    #expect(query["scope"] == "User.Read Mail.Read OpenID openid profile offline_access")
    #expect(await stage.signInFailure(["openid User.Read"])?.outcomeName == "invalidParameter")
  }
}
