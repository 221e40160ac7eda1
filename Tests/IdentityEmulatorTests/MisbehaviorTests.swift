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

/// Each misbehavior, seen from outside.
@Suite("A platform that misbehaves")
struct MisbehaviorTests {
  static let tenant = "c0a70500-7e4a-4c00-8000-000000000001"
  static let base = "https://login.microsoftonline.com/\(tenant)"

  func stage(_ ways: String...) async throws -> Stage {
    let stage = Stage()
    try await stage.simulate(.array(ways.map { ["misbehaves": .string($0)] }))
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
    ("wrong-account", "sub", "somebody-else"),
    ("wrong-token-hash", "at_hash", .string(hash("another access token"))),
  ]

  static func hash(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))).prefix(16))
  }

  @Test("changes one claim of a token that is otherwise right and rightly signed", arguments: claims)
  func claim(way: String, claim: String, value: JSON?) async throws {
    let stage = try await stage(way)
    let right = try await idToken(Stage())
    let token = try await idToken(stage)
    #expect(token.claims[claim] == value)
    #expect(right.claims[claim] != value)
    try await keys(stage).verify(token)
    let others = Set(["iss", "aud", "sub", "nonce", "tid", "ver"]).subtracting([claim])
    for name in others where !(way == "wrong-account" && name == "oid") {
      #expect(token.claims[name] == right.claims[name], "\(name)")
    }
  }

  @Test(
    "signs so that its own key set does not bear it out, or does",
    arguments: [
      (["wrong-signature"], "RS256", false), (["unsigned-token"], "none", false),
      (["shared-secret-signature"], "HS256", false), (["unknown-key"], "RS256", false),
      (["critical-extension"], "RS256", false), (["no-keys"], "RS256", false),
      (["missing-key-id", "several-keys"], "RS256", false),
      (["elliptic-signature", "wrong-signature"], "ES256", false),
      (["missing-key-id", "single-key"], "RS256", true), (["elliptic-signature"], "ES256", true),
      (["odd-keys"], "RS256", true), (["several-keys"], "RS256", true), (["late-key-rotation"], "RS256", true),
    ])
  func signature(ways: [String], algorithm: String, isGood: Bool) async throws {
    let stage = Stage()
    try await stage.simulate(.array(ways.map { ["misbehaves": .string($0)] }))
    let token = try await idToken(stage)
    #expect(token.header["alg"]?.string == algorithm)
    let keys = try await keys(stage)
    #expect(((try? keys.verify(token)) != nil) == isGood)
    // The access token stays good: a client that did not notice would get through.
    let tokens = try await stage.signIn()
    let me = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me",
      headers: [.authorization: "Bearer \(tokens["access_token"]?.string ?? "")"])
    #expect(me.head.status == .ok)
  }

  @Test("makes the public key a secret that verifies, for whoever lets the header choose")
  func keyConfusion() async throws {
    let stage = try await stage("shared-secret-signature")
    let token = try await idToken(stage)
    guard case .rsa(let modulus, let exponent)? = try await keys(stage).keys.first?.material else {
      Issue.record("there is no RSA key")
      return
    }
    let secret = try _RSA.Signing.PublicKey(n: modulus, e: exponent).pemRepresentation
    let code = HMAC<SHA256>.authenticationCode(for: token.signingInput, using: SymmetricKey(data: Array(secret.utf8)))
    #expect(Array(code) == token.signature)
  }

  @Test("replaces its key before each signature and shows the new one alone")
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
    "says of itself what is not so",
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
  func metadata(way: String, member: String, value: JSON?) async throws {
    let url = "\(Self.base)/v2.0/.well-known/openid-configuration"
    #expect(try await stage(way).json(url)[member] == value)
  }

  @Test("moves its endpoints, and has nothing where they were")
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
    "sends the browser back with more or less than it should",
    arguments: [
      (["wrong-state"], "state", "another-state"), (["missing-state"], "state", nil), ([], "state", "st&te=1"),
      ([], "iss", nil), (["announced-issuer"], "iss", "\(base)/v2.0"), (["missing-response-issuer"], "iss", nil),
      (["wrong-response-issuer"], "iss", "https://login.evil.example/v2.0"),
      (["announced-issuer", "wrong-response-issuer"], "iss", "https://login.evil.example/v2.0"),
    ] as [([String], String, String?)])
  func redirect(ways: [String], parameter: String, value: String?) async throws {
    let stage = Stage()
    try await stage.simulate(.array(ways.map { ["misbehaves": .string($0)] }))
    for tenant in ["common", Self.tenant] {
      let end = try await PageWalker(stage).signIn(Stage.authorizeURL(tenant: tenant), as: "megan@contoso.com")
      #expect(end.parameters["code"] != nil)
      #expect(end.parameters[parameter] == value)
    }
  }

  @Test("names itself where it refuses, too (RFC 9207 §2)")
  func refusalIssuer() async throws {
    let url = Stage.authorizeURL(tenant: Self.tenant, changing: ["prompt": "none"])
    let end = try await PageWalker(try await stage("announced-issuer")).get(url)
    #expect(end.parameters["error"] == "login_required")
    #expect(end.parameters["iss"] == "\(Self.base)/v2.0")
  }

  @Test(
    "hands over a code that its token endpoint will not take, or will",
    arguments: [
      (["injected-code"], false), (["lost-challenge"], false), (["injected-code", "unchecked-challenge"], true),
      (["lost-challenge", "unchecked-challenge"], true), ([], true),
    ])
  func code(ways: [String], isTaken: Bool) async throws {
    let stage = Stage()
    try await stage.simulate(.array(ways.map { ["misbehaves": .string($0)] }))
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let answer = try await stage.redeem(try #require(end.parameters["code"]))
    #expect(answer.status == (isTaken ? 200 : 400))
    guard isTaken else {
      #expect(answer.json["error"] == "invalid_grant")
      #expect(answer.json["error_codes"] == [501_481])
      return
    }
    let claims = try UnverifiedJWT(parsing: try #require(answer.json["id_token"]?.string)).claims
    let isStolen = ways.contains("injected-code")
    #expect((claims["nonce"]?.string == "n-1") != isStolen)
    #expect((claims["preferred_username"]?.string == "megan@contoso.com") != isStolen)
  }

  @Test("redirects from the token endpoint, method and body kept, to nobody that exists")
  func tokenRedirect() async throws {
    let url = "https://login.microsoftonline.com/common/oauth2/v2.0/token"
    let answer = try await stage("redirecting-token-endpoint").send(.post, url, body: Array("code=x".utf8))
    #expect(answer.head.status == .temporaryRedirect)
    #expect(answer.head.headerFields[.location] == "https://login.evil.example/common/oauth2/v2.0/token")
    #expect(answer.body.isEmpty)
  }

  @Test("tells about somebody else at userinfo; else about whom the ID token is about", arguments: [false, true])
  func userinfo(isWrong: Bool) async throws {
    let stage = isWrong ? try await stage("wrong-userinfo-subject") : Stage()
    for tenant in [Self.tenant, "common"] {
      let tokens = try await stage.signIn(tenant: tenant)
      let subject = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims["sub"]
      let told = try await stage.json(
        "https://graph.microsoft.com/oidc/userinfo", bearer: try #require(tokens["access_token"]?.string))
      #expect((told["sub"] == subject) != isWrong)
      #expect(told["name"] == "Megan Bowen")
    }
  }

  @Test(
    "comes back from signing out with another state, or none",
    arguments: [("", "s1"), ("missing-logout-state", nil), ("wrong-logout-state", "another-state")]
      as [(String, String?)])
  func logout(way: String, state: String?) async throws {
    let stage = way.isEmpty ? Stage() : try await stage(way)
    let parameters: Parameters = ["post_logout_redirect_uri": Stage.redirect, "state": "s1"]
    let answer = try await stage.send(.get, "\(Self.base)/oauth2/v2.0/logout?\(FormCoding.serialize(parameters))")
    let location = URLReference(try #require(answer.head.headerFields[.location]))
    #expect(location.text.hasPrefix(Stage.redirect))
    #expect(location.parameters["state"] == state)
  }

  static let floods: [(String, String)] = [
    ("metadata", "\(base)/v2.0/.well-known/openid-configuration"), ("keys", "\(base)/discovery/v2.0/keys"),
    ("tokens", "\(base)/oauth2/v2.0/token"), ("userinfo", "https://graph.microsoft.com/oidc/userinfo"),
  ]

  @Test("answers more than anybody reads, in the one place that was asked for", arguments: floods)
  func oversized(what: String, url: String) async throws {
    let stage = try await stage("oversized-\(what)")
    let request = try #require(RequestMessage(url: url))
    guard case .response(let response) = await stage.emulator.exchange(request) else {
      Issue.record("there should be a response")
      return
    }
    #expect(response.body.count == ResponseLimit.bytes + 1)
    #expect((try? JSON(parsing: response.body))?.object != nil)
    await #expect(throws: ResponseLimit.failure(host: URLReference(url).host ?? "")) {
      try await stage.emulator.transport.send(request)
    }
    for (_, other) in Self.floods where other != url {
      #expect(try await stage.send(.get, other).body.count < 65_536)
    }
  }

  @Test("answers for ever, in the one place that was asked for", arguments: floods)
  func endless(what: String, url: String) async throws {
    let stage = try await stage("endless-\(what)")
    let request = try #require(RequestMessage(url: url))
    guard case .endless(let start, let more) = await stage.emulator.exchange(request) else {
      Issue.record("the response should not end")
      return
    }
    #expect((try? JSON(parsing: start.body))?.object != nil)
    #expect(!more.isEmpty)
    #expect(await stage.emulator.respond(to: request).head.status == .badGateway)
    await #expect(throws: ResponseLimit.failure(host: URLReference(url).host ?? "")) {
      try await stage.emulator.transport.send(request)
    }
    for (_, other) in Self.floods where other != url {
      #expect(try await stage.send(.get, other).body.count < 65_536)
    }
  }

  @Test("behaves again, in one way or in all")
  func behaves() async throws {
    let stage = try await stage("wrong-nonce", "missing-subject", "wrong-account")
    func active() async throws -> [String] {
      let list = try await stage.json("https://login.microsoftonline.com/_authflow/misbehaviors")["misbehaviors"]
      let all = list?.array ?? []
      #expect(all.map { $0["name"]?.string } == Misbehavior.allCases.map(\.rawValue))
      #expect(all.allSatisfy { ($0["words"]?.string?.utf8.count ?? 0) > 12 })
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

  @Test("Requests are counted by what they are for")
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

  @Test("No two ways have one description, and the handbook's table is the code's")
  func handbook() throws {
    #expect(Set(Misbehavior.allCases.map(\.words)).count == Misbehavior.allCases.count)
    let page = "Sources/authflow/authflow.docc/Reference/Misbehaviors.md"
    #expect(String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self) == Misbehavior.table)
  }
}
