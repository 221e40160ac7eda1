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

/// Tests the account, claims, and scopes of refreshed tokens.
@Suite("Accounts and scopes of refreshed tokens")
struct RefreshOwnershipTests {
  static let issuer = "https://id.example.com/realm"
  static let alice = Account(identifier: "alice", username: "alice", environment: "id.example.com")

  /// Returns a client that has signed in to another OpenID provider.
  func signedIn(scope: String? = nil) async throws -> (TestClient, TokenResult) {
    let client = try TestClient { $0.authority = try Authority(parsing: Self.issuer, as: .oidc) }
    client.server.state.withLock { state in
      state.metadata = { $0["issuer"] = .string(Self.issuer) }
      state.claims = {
        $0["iss"] = .string(Self.issuer)
        $0["sub"] = "alice"
        $0["preferred_username"] = "alice@example.com"
        $0["tid"] = nil
        $0["oid"] = nil
      }
    }
    client.enqueue { form, server in
      server.tokenResponse(for: form) {
        $0["client_info"] = nil
        $0["scope"] = scope.map { .string($0) }
      }
    }
    return (client, try await client.signIn(["api.read"]))
  }

  @Test("keeps the username and claims if a refresh returns no ID token (OpenID Connect Core §12.2)")
  func refreshWithoutIDToken() async throws {
    let (client, initial) = try await signedIn()
    client.enqueue { _, _ in .json(#"{"access_token": "new", "token_type": "Bearer", "expires_in": 60}"#) }
    let result = try await client.silent(["api.read"], account: initial.account) { $0.forceRefresh = true }
    #expect(result.account.username == "alice@example.com")
    #expect(result.tenantProfile.identifier == "alice")
    #expect(result.idTokenClaims["sub"] == "alice")
  }

  @Test(
    "requests the granted scopes, or all requested scopes if the response had no scope (RFC 6749 §5.1)",
    arguments: [
      (nil, "api.read openid profile offline_access"),
      ("openid api.read", "api.read openid"),
      ("api.read openid offline_access", "api.read openid offline_access"),
    ] as [(String?, String)])
  func refreshScope(granted: String?, requested: String) async throws {
    let (client, initial) = try await signedIn(scope: granted)
    _ = try? await client.silent(["api.read"], account: initial.account) { $0.forceRefresh = true }
    let form = FormCoding.parse(body: client.server.last("token")?.body ?? [])
    #expect(form["scope"] == requested)
  }

  @Test("rejects a refreshed ID token for another subject, even if no ID token is cached")
  func differentSubject() async throws {
    let (client, initial) = try await signedIn()
    try client.store.update { bytes in
      var json = try JSON(parsing: bytes ?? [])
      json["IdToken"] = [:]
      bytes = Array(json.text().utf8)
    }
    client.enqueue { form, server in
      server.state.withLock { state in
        state.claims = {
          $0["iss"] = .string(Self.issuer)
          $0["sub"] = "mallory"
        }
      }
      return server.tokenResponse(for: form) { $0["client_info"] = nil }
    }
    let error = await client.silentFailure(["api.read"], account: initial.account) { $0.forceRefresh = true }
    #expect(error?.internalCode == MSALInternalErrorCode.mismatchedUser.rawValue)
    #expect(!String(decoding: try client.store.load() ?? [], as: UTF8.self).contains("mallory"))
  }

  @Test("keeps the account signed out if the user signs out during a refresh")
  func signOutDuringRefresh() async throws {
    let client = try TestClient()
    let signedIn = try await client.signIn()
    let application = client.application
    client.enqueue { form, server in
      // Remove the account before the client receives the response.
      try application.remove(signedIn.account)
      return server.tokenResponse(for: form)
    }
    let error = await client.silentFailure { $0.forceRefresh = true }
    #expect(client.server.count("token") == 2)
    #expect(error?.code == .interactionRequired)
    #expect(try application.accounts().isEmpty)
    #expect(!String(decoding: try client.store.load() ?? [], as: UTF8.self).contains("access-2"))
  }

  @Test("does not throttle refreshes after an error from the keys endpoint")
  func keysUnavailable() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.server.state.withLock { state in
      state.key = 2
      state.publishedKey = 2
      state.overrides["keys"] = { .json("{}", status: .serviceUnavailable) }
    }
    #expect(await client.silentFailure { $0.forceRefresh = true } != nil)
    client.server.state.withLock { $0.overrides["keys"] = nil }
    let result = try await client.silent { $0.forceRefresh = true }
    #expect(result.source == .refreshToken)
  }

  @Test("refreshes if the cached ID token is invalid", arguments: ["invalid", "a.b.c", ""])
  func invalidCachedIDToken(text: String) async throws {
    let client = try TestClient()
    let token = try #require(try await client.signIn().idToken?.reveal())
    try client.store.update { bytes in
      bytes = Array(String(decoding: bytes ?? [], as: UTF8.self).replacing(token, with: text).utf8)
    }
    #expect(try await client.silent().source == .refreshToken)
  }

  @Test("does not send Microsoft's account hints to other OpenID providers")
  func accountHints() async throws {
    let (client, _) = try await signedIn()
    let account = Account(identifier: "alice.smith", username: "", environment: "id.example.com")
    _ = await client.signInFailure(["api.read"]) {
      $0.token.account = account
      $0.loginHint = "alice@example.com"
    }
    let query = URLReference(client.server.state.withLock { $0.visits.last?.url } ?? "").parameters
    #expect(query["login_req"] == nil && query["domain_req"] == nil)
    #expect(query["login_hint"] == "alice@example.com")
  }

  @Test("splits scopes at spaces and sends them unchanged with the OpenID Connect scopes")
  func requestedScopes() async throws {
    let client = try TestClient()
    _ = try await client.signIn(["User.Read Mail.Read", "OpenID"])
    let query = URLReference(client.server.state.withLock { $0.visits.last?.url } ?? "").parameters
    #expect(query["scope"] == "User.Read Mail.Read OpenID openid profile offline_access")
    #expect(await client.signInFailure(["openid User.Read"])?.outcomeName == "invalidParameter")
  }
}
