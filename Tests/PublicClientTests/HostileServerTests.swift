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

/// Tests servers that send forged or oversized responses or try to downgrade the client's security.
@Suite("Hostile servers")
struct HostileServerTests {
  @Test(
    "rejects metadata from another issuer before it sends other requests",
    arguments: [
      "https://evil.example/{tenantid}/v2.0", "http://login.microsoftonline.com/{tenantid}/v2.0", "evil",
      "https://login.microsoftonline.com.evil.example/{tenantid}/v2.0",
      "https://login.microsoftonline.com/33333333-0000-4000-8000-000000000003/v2.0",
    ])
  func issuer(_ issuer: String) async throws {
    let client = try TestClient(authority: "https://login.microsoftonline.com/\(FakeServer.utid)")
    client.server.state.withLock { state in state.metadata = { $0["issuer"] = .string(issuer) } }
    #expect(await client.signInFailure()?.outcomeName == "failedAuthorityValidation")
    #expect(client.server.state.withLock { $0.visits.isEmpty })
    #expect(client.server.count("metadata") == 1)
    #expect(client.events.decisions.last == "metadata rejected")
  }

  @Test(
    "rejects metadata with endpoints that do not use HTTPS", arguments: ["userinfo_endpoint", "end_session_endpoint"])
  func insecureEndpoint(name: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.metadata = { $0[name] = "http://login.microsoftonline.com/x" } }
    #expect(await client.signInFailure()?.outcomeName == "nonHttpsRedirect")
  }

  @Test("uses S256 even if the provider does not support it")
  func pkceDowngrade() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.metadata = { $0["code_challenge_methods_supported"] = ["plain"] } }
    let result = try await client.signIn()
    #expect(result.sent?.parameters["code_challenge_method"] == "S256")
    let verifier = client.server.state.withLock { $0.tokenRequests.first?["code_verifier"] } ?? ""
    #expect(result.sent?.parameters["code_challenge"] == PKCE.challenge(for: verifier, method: .s256))
    #expect(client.events.decisions.contains("pkce S256"))
  }

  @Test(
    "rejects a redirect from another issuer and does not redeem the code",
    arguments: ["https://evil.example", "https://login.microsoftonline.com/x/v2.0"])
  func mixUp(issuer: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.redirect = { $0.append("iss", issuer) } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
    #expect(client.server.count("token") == 0)
    client.server.state.withLock { state in
      state.redirect = { $0.append("iss", "https://login.microsoftonline.com/\(FakeServer.utid)/v2.0") }
    }
    _ = try await client.signIn()
  }

  @Test("detects an injected code by the nonce of the ID token and saves nothing")
  func codeInjection() async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.claims = { $0["nonce"] = "another sign-in" } }
    let error = await client.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(client.server.count("token") == 1)
    #expect(try client.store.load() == nil)
  }

  @Test("does not follow redirects from the token endpoint", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let client = try TestClient()
    client.enqueue { _, _ in .redirect(to: "https://evil.example/token", status: .init(code: status)) }
    let error = await client.signInFailure()
    #expect(error?.outcomeName == "unhandledResponse")
    #expect(error?.httpStatus == status)
    #expect(client.server.state.withLock { $0.requests.allSatisfy { !$0.url.contains("evil") } })
  }

  @Test("rejects responses larger than one megabyte", arguments: ["instance", "metadata", "keys", "token"])
  func oversized(kind: String) async throws {
    let client = try TestClient()
    let padding = String(repeating: " ", count: 1 << 20)
    client.server.state.withLock { $0.overrides[kind] = { .json("{}" + padding) } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
    #expect(client.server.count(kind) == 1)
    #expect(try client.store.load() == nil)
  }

  @Test("skips malformed and unsupported keys")
  func malformedKeys() async throws {
    let client = try TestClient()
    let validKey = FakeServer.key(1).publicKey.json
    let keys: JSON = [
      "keys": [
        ["kty": "RSA", "kid": "malformed", "n": "!!", "e": "AQAB"], ["kty": "EC", "kid": "curve", "crv": "P-999"],
        ["kty": "unsupported", "kid": "x"], "not a key", validKey,
      ]
    ]
    let text = keys.text()
    client.server.state.withLock { $0.overrides["keys"] = { .json(text) } }
    _ = try await client.signIn()
    #expect(client.events.decisions.contains("signingKey skipped"))
  }

  @Test(
    "accepts a token without a key ID only if the provider has a single key", arguments: [(1, true), (2, false)])
  func missingKeyID(count: Int, isAccepted: Bool) async throws {
    let client = try TestClient()
    let key = try SigningKey(p256: (0..<32).map { UInt8($0 + 1) }, keyID: nil)
    let keys = JWKSet((1...count).map { FakeServer.key($0).publicKey }).json.text()
    client.server.state.withLock { $0.overrides["keys"] = { .json(keys) } }
    client.enqueue { form, server in
      var json = try JSON(parsing: server.tokenResponse(for: form).body)
      let claims = try UnverifiedJWT(parsing: json["id_token"]?.string ?? "").claims
      json["id_token"] = .string(try key.token(claims))
      return .json(json.text())
    }
    #expect(await client.signInFailure()?.outcomeName == (isAccepted ? nil : "invalidResponse"))
    #expect(client.server.count("keys") == 1)
  }

  @Test(
    "sends no more requests after an invalid ID token", arguments: ["iss", "sub", "aud", "iat", "nonce"])
  func invalidIDToken(claim: String) async throws {
    let client = try TestClient()
    client.server.state.withLock { state in state.claims = { $0[claim] = nil } }
    #expect(await client.signInFailure()?.outcomeName == "invalidResponse")
    #expect(["instance", "metadata", "keys", "token"].map { client.server.count($0) } == [1, 1, 1, 1])
    #expect(client.server.state.withLock { $0.visits.count } == 1)
    #expect(try client.store.load() == nil)
  }

  @Test("rejects refreshed tokens for another account and keeps the cached tokens")
  func otherAccount() async throws {
    let client = try TestClient()
    _ = try await client.signIn()
    client.enqueue { form, server in
      server.tokenResponse(for: form) { $0["client_info"] = .string(ClientInfo(uid: "alex", utid: "t").encoded) }
    }
    let error = await client.silentFailure { $0.forceRefresh = true }
    #expect(error?.outcomeName == "mismatchedUser")
    #expect(error?.internalCode == -42_101)
    #expect(try client.application.accounts().map(\.username) == ["megan@contoso.com"])
    #expect(try await client.silent().source == .cache)
  }
}
