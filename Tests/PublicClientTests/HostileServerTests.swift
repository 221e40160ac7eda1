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

/// Servers that lie, hang, or try to make the client weaker.
@Suite("Hostile servers")
struct HostileServerTests {
  @Test(
    "Metadata of another issuer is refused before anything else is asked",
    arguments: [
      "https://evil.example/{tenantid}/v2.0", "http://login.microsoftonline.com/{tenantid}/v2.0", "evil",
      "https://login.microsoftonline.com.evil.example/{tenantid}/v2.0",
      "https://login.microsoftonline.com/33333333-0000-4000-8000-000000000003/v2.0",
    ])
  func issuer(named: String) async throws {
    let stage = try Stage(authority: "https://login.microsoftonline.com/\(FakePlatform.utid)")
    stage.platform.state.withLock { state in state.metadata = { $0["issuer"] = .string(named) } }
    #expect(await stage.signInFailure()?.outcomeName == "failedAuthorityValidation")
    #expect(stage.platform.state.withLock { $0.visits.isEmpty })
    #expect(stage.platform.count("metadata") == 1)
    #expect(stage.events.decisions.last == "metadata refused")
  }

  @Test("Every endpoint of the metadata must use https", arguments: ["userinfo_endpoint", "end_session_endpoint"])
  func plainEndpoint(name: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.metadata = { $0[name] = "http://login.microsoftonline.com/x" } }
    #expect(await stage.signInFailure()?.outcomeName == "nonHttpsRedirect")
  }

  @Test("A provider that knows no S256 is sent it all the same")
  func pkceDowngrade() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.metadata = { $0["code_challenge_methods_supported"] = ["plain"] } }
    let result = try await stage.signIn()
    #expect(result.sent?.parameters["code_challenge_method"] == "S256")
    let verifier = stage.platform.state.withLock { $0.tokenRequests.first?["code_verifier"] } ?? ""
    #expect(result.sent?.parameters["code_challenge"] == PKCE.challenge(for: verifier, method: .s256))
    #expect(stage.events.decisions.contains("pkce S256"))
  }

  @Test(
    "An issuer in the redirect that is another one is refused, announced or not; the code is not sent anywhere",
    arguments: ["https://evil.example", "https://login.microsoftonline.com/x/v2.0"])
  func mixUp(issuer: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.redirect = { $0.append("iss", issuer) } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
    #expect(stage.platform.count("token") == 0)
    stage.platform.state.withLock { state in
      state.redirect = { $0.append("iss", "https://login.microsoftonline.com/\(FakePlatform.utid)/v2.0") }
    }
    _ = try await stage.signIn()
  }

  @Test("A code of somebody else's sign-in: the nonce of the ID token tells, and nothing is kept")
  func codeInjection() async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.claims = { $0["nonce"] = "of another sign-in" } }
    let error = await stage.signInFailure()
    #expect(error?.outcomeName == "invalidResponse")
    #expect(stage.platform.count("token") == 1)
    #expect(try stage.store.load() == nil)
  }

  @Test("A token endpoint that redirects is not followed", arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let stage = try Stage()
    stage.answer { _, _ in .redirect(to: "https://evil.example/token", status: .init(code: status)) }
    let error = await stage.signInFailure()
    #expect(error?.outcomeName == "unhandledResponse")
    #expect(error?.httpStatus == status)
    #expect(stage.platform.state.withLock { $0.messages.allSatisfy { !$0.url.contains("evil") } })
  }

  @Test("An answer larger than one megabyte is not read", arguments: ["instance", "metadata", "keys", "token"])
  func oversized(kind: String) async throws {
    let stage = try Stage()
    let padding = String(repeating: " ", count: 1 << 20)
    stage.platform.state.withLock { $0.special[kind] = { .json("{}" + padding) } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
    #expect(stage.platform.count(kind) == 1)
    #expect(try stage.store.load() == nil)
  }

  @Test("Keys that are broken or unknown are set aside, and the good one is used")
  func brokenKeys() async throws {
    let stage = try Stage()
    let good = FakePlatform.key(1).publicKey.json
    let keys: JSON = [
      "keys": [
        ["kty": "RSA", "kid": "broken", "n": "!!", "e": "AQAB"], ["kty": "EC", "kid": "curve", "crv": "P-999"],
        ["kty": "unheard-of", "kid": "x"], "no key", good,
      ]
    ]
    let text = keys.text()
    stage.platform.state.withLock { $0.special["keys"] = { .json(text) } }
    _ = try await stage.signIn()
    #expect(stage.events.decisions.contains("signingKey set aside"))
  }

  @Test(
    "A key that is not named is believed only where there is one", arguments: [(1, true), (2, false)])
  func keyNotNamed(count: Int, isAccepted: Bool) async throws {
    let stage = try Stage()
    let key = try SigningKey(p256: (0..<32).map { UInt8($0 + 1) }, keyID: nil)
    let keys = JWKSet((1...count).map { FakePlatform.key($0).publicKey }).json.text()
    stage.platform.state.withLock { $0.special["keys"] = { .json(keys) } }
    stage.answer { form, platform in
      var json = try JSON(parsing: platform.tokens(for: form).body)
      let claims = try UnverifiedJWT(parsing: json["id_token"]?.string ?? "").claims
      json["id_token"] = .string(try key.token(claims))
      return .json(json.text())
    }
    #expect(await stage.signInFailure()?.outcomeName == (isAccepted ? nil : "invalidResponse"))
    #expect(stage.platform.count("keys") == 1)
  }

  @Test(
    "A bad ID token ends the call: no second request of any kind", arguments: ["iss", "sub", "aud", "iat", "nonce"])
  func noSecondRequest(claim: String) async throws {
    let stage = try Stage()
    stage.platform.state.withLock { state in state.claims = { $0[claim] = nil } }
    #expect(await stage.signInFailure()?.outcomeName == "invalidResponse")
    #expect(["instance", "metadata", "keys", "token"].map { stage.platform.count($0) } == [1, 1, 1, 1])
    #expect(stage.platform.state.withLock { $0.visits.count } == 1)
    #expect(try stage.store.load() == nil)
  }

  @Test("Refreshed tokens of another account are refused, and the old ones stay")
  func otherAccount() async throws {
    let stage = try Stage()
    _ = try await stage.signIn()
    stage.answer { form, platform in
      platform.tokens(for: form) { $0["client_info"] = .string(ClientInfo(uid: "alex", utid: "t").encoded) }
    }
    let error = await stage.silentFailure { $0.forceRefresh = true }
    #expect(error?.outcomeName == "mismatchedUser")
    #expect(error?.internalCode == -42_101)
    #expect(try stage.application.accounts().map(\.username) == ["megan@contoso.com"])
    #expect(try await stage.silent().source == .cache)
  }
}
