import Crypto
import CryptoExtras
import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import TestSupport
import Testing

/// Tests the effect of each misbehavior on HTTP clients.
@Suite("Misbehaviors")
struct MisbehaviorTests {
  static let tenant = "c0a70500-7e4a-4c00-8000-000000000001"
  static let base = "https://login.microsoftonline.com/\(tenant)"

  func stage(_ misbehaviors: String...) async throws -> Stage {
    let stage = Stage()
    try await stage.simulate(.array(misbehaviors.map { ["misbehaves": .string($0)] }))
    return stage
  }

  func keys(_ stage: Stage) async throws -> JWKSet {
    try #require(JWKSet(try await stage.json("\(Self.base)/discovery/v2.0/keys")))
  }

  func idToken(_ stage: Stage) async throws -> UnverifiedJWT {
    try UnverifiedJWT(parsing: try #require(try await stage.signIn(tenant: Self.tenant)["id_token"]?.string))
  }

  static let claims: [(String, String, JSON?)] = [
    ("wrong-issuer", "iss", .string("https://login.evil.example/\(tenant)/v2.0")),
    ("wrong-audience", "aud", "00000000-0000-0000-0000-00000000dead"), ("missing-audience", "aud", nil),
    ("missing-subject", "sub", nil), ("missing-issued-at", "iat", nil), ("wrong-nonce", "nonce", "another-nonce"),
    ("missing-nonce", "nonce", nil), ("expired-token", "exp", 1_735_603_200), ("future-token", "nbf", 1_735_779_300),
    ("wrong-account", "sub", "another-user"),
    ("wrong-token-hash", "at_hash", .string(hash("another access token"))),
  ]

  static func hash(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))).prefix(16))
  }

  @Test("changes one claim of an otherwise valid ID token", arguments: claims)
  func claim(misbehavior: String, claim: String, value: JSON?) async throws {
    let stage = try await stage(misbehavior)
    let right = try await idToken(Stage())
    let token = try await idToken(stage)
    #expect(token.claims[claim] == value)
    #expect(right.claims[claim] != value)
    try await keys(stage).verify(token)
    let others = Set(["iss", "aud", "sub", "nonce", "tid", "ver"]).subtracting([claim])
    for name in others where !(misbehavior == "wrong-account" && name == "oid") {
      #expect(token.claims[name] == right.claims[name], "\(name)")
    }
  }

  @Test(
    "signs ID tokens with unexpected keys or algorithms",
    arguments: [
      (["wrong-signature"], "RS256", false), (["unsigned-token"], "none", false),
      (["shared-secret-signature"], "HS256", false), (["unknown-key"], "RS256", false),
      (["critical-extension"], "RS256", false), (["no-keys"], "RS256", false),
      (["missing-key-id", "several-keys"], "RS256", false),
      (["elliptic-signature", "wrong-signature"], "ES256", false),
      (["missing-key-id", "single-key"], "RS256", true), (["elliptic-signature"], "ES256", true),
      (["odd-keys"], "RS256", true), (["several-keys"], "RS256", true), (["late-key-rotation"], "RS256", true),
    ])
  func signature(misbehaviors: [String], algorithm: String, isGood: Bool) async throws {
    let stage = Stage()
    try await stage.simulate(.array(misbehaviors.map { ["misbehaves": .string($0)] }))
    let token = try await idToken(stage)
    #expect(token.header["alg"]?.string == algorithm)
    let keys = try await keys(stage)
    #expect(((try? keys.verify(token)) != nil) == isGood)
    // The access token is valid, so a client that does not validate the ID token succeeds.
    let tokens = try await stage.signIn()
    let me = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me",
      headers: [.authorization: "Bearer \(tokens["access_token"]?.string ?? "")"])
    #expect(me.head.status == .ok)
  }

  @Test("signs with the public key as an HMAC secret")
  func keyConfusion() async throws {
    let stage = try await stage("shared-secret-signature")
    let token = try await idToken(stage)
    guard case .rsa(let modulus, let exponent)? = try await keys(stage).keys.first?.material else {
      Issue.record("expected an RSA key")
      return
    }
    let secret = try _RSA.Signing.PublicKey(n: modulus, e: exponent).pemRepresentation
    let code = HMAC<SHA256>.authenticationCode(for: token.signingInput, using: SymmetricKey(data: Array(secret.utf8)))
    #expect(Array(code) == token.signature)
  }

  @Test("rotates the key before each signature and publishes only the new key")
  func lateRotation() async throws {
    let stage = try await stage("late-key-rotation")
    let first = try await idToken(stage)
    let before = try await keys(stage)
    let second = try await idToken(stage)
    let after = try await keys(stage)
    #expect(before.keys.count == 1 && after.keys.count == 1)
    #expect(first.header["kid"] != second.header["kid"])
    #expect(throws: SignatureValidationError.self) { try before.verify(second) }
    try after.verify(second)
  }

  @Test(
    "publishes wrong metadata",
    arguments: [
      ("wrong-metadata-issuer", "issuer", "https://login.evil.example/v2.0"),
      ("incomplete-metadata", "token_endpoint", nil),
      ("insecure-endpoints", "jwks_uri", .string("http" + base.dropFirst(5) + "/discovery/v2.0/keys")),
      ("plain-challenge-only", "code_challenge_methods_supported", ["plain"]),
      ("announced-issuer", "authorization_response_iss_parameter_supported", true),
      ("missing-response-issuer", "authorization_response_iss_parameter_supported", true),
      ("wrong-response-issuer", "authorization_response_iss_parameter_supported", nil),
      ("elliptic-signature", "id_token_signing_alg_values_supported", ["ES256"]),
      ("moved-endpoints", "token_endpoint", .string("\(base)/elsewhere/oauth2/v2.0/token")),
    ] as [(String, String, JSON?)])
  func metadata(misbehavior: String, member: String, value: JSON?) async throws {
    let url = "\(Self.base)/v2.0/.well-known/openid-configuration"
    #expect(try await stage(misbehavior).json(url)[member] == value)
  }

  @Test("moves endpoints to other paths")
  func moved() async throws {
    let stage = try await stage("moved-endpoints")
    let metadata = try ProviderMetadata(try await stage.json("\(Self.base)/v2.0/.well-known/openid-configuration"))
    let uri = try #require(metadata.jwksURI)
    #expect(JWKSet(try await stage.json(uri))?.keys.count == 1)
    for url in ["\(Self.base)/discovery/v2.0/keys", "\(Self.base)/oauth2/v2.0/authorize?client_id=x"] {
      #expect(try await stage.send(.get, url).head.status == .notFound, "\(url)")
    }
    let authorize = try #require(Stage.authorizeURL(tenant: Self.tenant).split(separator: "?").last)
    let end = try await PageWalker(stage).signIn(
      "\(metadata.authorizationEndpoint)?\(authorize)", as: "megan@contoso.com")
    #expect(end.parameters["code"] != nil)
  }

  @Test(
    "changes the parameters of authorization responses",
    arguments: [
      (["wrong-state"], "state", "another-state"), (["missing-state"], "state", nil), ([], "state", "st&te=1"),
      ([], "iss", nil), (["announced-issuer"], "iss", "\(base)/v2.0"), (["missing-response-issuer"], "iss", nil),
      (["wrong-response-issuer"], "iss", "https://login.evil.example/v2.0"),
      (["announced-issuer", "wrong-response-issuer"], "iss", "https://login.evil.example/v2.0"),
    ] as [([String], String, String?)])
  func redirect(misbehaviors: [String], parameter: String, value: String?) async throws {
    let stage = Stage()
    try await stage.simulate(.array(misbehaviors.map { ["misbehaves": .string($0)] }))
    for tenant in ["common", Self.tenant] {
      let end = try await PageWalker(stage).signIn(Stage.authorizeURL(tenant: tenant), as: "megan@contoso.com")
      #expect(end.parameters["code"] != nil)
      #expect(end.parameters[parameter] == value)
    }
  }

  @Test("error responses contain the issuer (RFC 9207 §2)")
  func refusalIssuer() async throws {
    let url = Stage.authorizeURL(tenant: Self.tenant, changing: ["prompt": "none"])
    let end = try await PageWalker(try await stage("announced-issuer")).get(url)
    #expect(end.parameters["error"] == "login_required")
    #expect(end.parameters["iss"] == "\(Self.base)/v2.0")
  }

  @Test(
    "issues changed authorization codes",
    arguments: [
      (["injected-code"], false), (["lost-challenge"], false), (["injected-code", "unchecked-challenge"], true),
      (["lost-challenge", "unchecked-challenge"], true), ([], true),
    ])
  func code(misbehaviors: [String], isAccepted: Bool) async throws {
    let stage = Stage()
    try await stage.simulate(.array(misbehaviors.map { ["misbehaves": .string($0)] }))
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let response = try await stage.redeem(try #require(end.parameters["code"]))
    #expect(response.status == (isAccepted ? 200 : 400))
    guard isAccepted else {
      #expect(response.json["error"] == "invalid_grant")
      #expect(response.json["error_codes"] == [501_481])
      return
    }
    let claims = try UnverifiedJWT(parsing: try #require(response.json["id_token"]?.string)).claims
    let isStolen = misbehaviors.contains("injected-code")
    #expect((claims["nonce"]?.string == "n-1") != isStolen)
    #expect((claims["preferred_username"]?.string == "megan@contoso.com") != isStolen)
  }

  @Test(
    "issues authorization codes that the client cannot redeem",
    arguments: [("redeemed-code", 54005, "invalid_grant"), ("other-redirect-code", 500_112, "invalid_client")])
  func unusableCode(misbehavior: String, code: Int, error: String) async throws {
    let stage = try await stage(misbehavior)
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let response = try await stage.redeem(try #require(end.parameters["code"]))
    #expect(response.json["error"] == .string(error))
    #expect(response.json["error_codes"] == [.integer(Int64(code))])
  }

  @Test("redirects token requests to an unknown host with status 307")
  func tokenRedirect() async throws {
    let url = "https://login.microsoftonline.com/common/oauth2/v2.0/token"
    let response = try await stage("redirecting-token-endpoint").send(.post, url, body: Array("code=x".utf8))
    #expect(response.head.status == .temporaryRedirect)
    #expect(response.head.headerFields[.location] == "https://login.evil.example/common/oauth2/v2.0/token")
    #expect(response.body.isEmpty)
  }

  @Test("returns a different subject from userinfo than in the ID token", arguments: [false, true])
  func userinfo(isWrong: Bool) async throws {
    let stage = isWrong ? try await stage("wrong-userinfo-subject") : Stage()
    for tenant in [Self.tenant, "common"] {
      let tokens = try await stage.signIn(tenant: tenant)
      let subject = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims["sub"]
      let result = try await stage.json(
        "https://graph.microsoft.com/oidc/userinfo", bearer: try #require(tokens["access_token"]?.string))
      #expect((result["sub"] == subject) != isWrong)
      #expect(result["name"] == "Megan Bowen")
    }
  }

  @Test(
    "changes or omits the state after sign-out",
    arguments: [("", "s1"), ("missing-logout-state", nil), ("wrong-logout-state", "another-state")]
      as [(String, String?)])
  func logout(misbehavior: String, state: String?) async throws {
    let stage = misbehavior.isEmpty ? Stage() : try await stage(misbehavior)
    let parameters: Parameters = ["post_logout_redirect_uri": Stage.redirect, "state": "s1"]
    let response = try await stage.send(.get, "\(Self.base)/oauth2/v2.0/logout?\(FormCoding.serialize(parameters))")
    let location = URLReference(try #require(response.head.headerFields[.location]))
    #expect(location.text.hasPrefix(Stage.redirect))
    #expect(location.parameters["state"] == state)
  }

  static let endpointURLs: [(String, String)] = [
    ("metadata", "\(base)/v2.0/.well-known/openid-configuration"), ("keys", "\(base)/discovery/v2.0/keys"),
    ("tokens", "\(base)/oauth2/v2.0/token"), ("userinfo", "https://graph.microsoft.com/oidc/userinfo"),
  ]

  @Test("returns an oversized response from one endpoint", arguments: endpointURLs)
  func oversized(what: String, url: String) async throws {
    let stage = try await stage("oversized-\(what)")
    let request = try #require(RequestMessage(url: url))
    guard case .response(let response) = await stage.emulator.exchange(request) else {
      Issue.record("expected a response")
      return
    }
    #expect(response.body.count == ResponseLimit.bytes + 1)
    #expect((try? JSON(parsing: response.body))?.object != nil)
    await #expect(throws: ResponseLimit.failure(host: URLReference(url).host ?? "")) {
      try await stage.emulator.transport.send(request)
    }
    for (_, other) in Self.endpointURLs where other != url {
      #expect(try await stage.send(.get, other).body.count < 65_536)
    }
  }

  @Test("returns an unbounded response from one endpoint", arguments: endpointURLs)
  func endless(what: String, url: String) async throws {
    let stage = try await stage("endless-\(what)")
    let request = try #require(RequestMessage(url: url))
    guard case .endless(let start, let more) = await stage.emulator.exchange(request) else {
      Issue.record("expected an unbounded response")
      return
    }
    #expect((try? JSON(parsing: start.body))?.object != nil)
    #expect(!more.isEmpty)
    #expect(await stage.emulator.respond(to: request).head.status == .badGateway)
    await #expect(throws: ResponseLimit.failure(host: URLReference(url).host ?? "")) {
      try await stage.emulator.transport.send(request)
    }
    for (_, other) in Self.endpointURLs where other != url {
      #expect(try await stage.send(.get, other).body.count < 65_536)
    }
  }

  @Test("stops one misbehavior or all")
  func behaves() async throws {
    let stage = try await stage("wrong-nonce", "missing-subject", "wrong-account")
    func active() async throws -> [String] {
      let list = try await stage.json("https://login.microsoftonline.com/_authflow/misbehaviors")["misbehaviors"]
      let all = list?.array ?? []
      #expect(all.map { $0["name"]?.string } == Misbehavior.allCases.map(\.rawValue))
      #expect(all.allSatisfy { ($0["summary"]?.string?.utf8.count ?? 0) > 12 })
      return all.filter { $0["active"] == true }.compactMap { $0["name"]?.string }.sorted()
    }
    #expect(try await active() == ["missing-subject", "wrong-account", "wrong-nonce"])
    try await stage.simulate([["stopsMisbehaving": "missing-subject"]])
    #expect(try await active() == ["wrong-account", "wrong-nonce"])
    try await stage.simulate(["stopsMisbehaving"])
    #expect(try await active() == [])
    #expect(try await idToken(stage).claims["nonce"] == "n-1")
    let state = try await stage.json("https://login.microsoftonline.com/_authflow/state")
    #expect(state["requests"]?["token"] == 1)
    #expect(state["misbehaviors"] == [])
  }

  @Test("counts requests by endpoint")
  func counts() async throws {
    let stage = Stage()
    _ = try await keys(stage)
    _ = try await stage.json("\(Self.base)/v2.0/.well-known/openid-configuration")
    _ = try await stage.json("\(Self.base)/.well-known/openid-configuration")
    _ = try await stage.send(.get, "https://graph.microsoft.com/oidc/userinfo")
    _ = try await stage.send(
      .get, "https://fabrikamb2c.b2clogin.com/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin/discovery/v2.0/keys")
    _ = try await stage.send(.get, "\(Self.base)/oauth2/v2.0/logout")
    let requests = try await stage.json("https://login.microsoftonline.com/_authflow/state")["requests"]
    #expect(
      requests == [
        "token": 0, "authorize": 0, "graph": 0, "devicecode": 0, "discovery": 2, "keys": 2, "userinfo": 1, "logout": 1,
        "all": 6,
      ])
  }

  @Test("every misbehavior has a unique description, and the reference page is up to date")
  func handbook() throws {
    #expect(Set(Misbehavior.allCases.map(\.summary)).count == Misbehavior.allCases.count)
    let page = "Sources/authflow/authflow.docc/Reference/Misbehaviors.md"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(Misbehavior.table, to: page) }
    #expect(String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self) == Misbehavior.table)
  }
}
