import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Tokens and their validity")
struct TokenTests {
  @Test(
    "the scope of the response contains the requested scopes as sent and other granted scopes",
    arguments: [
      ("openid profile offline_access User.Read", "email openid profile User.Read Calendars.Read"),
      ("openid profile offline_access user.read", "email openid profile user.read Calendars.Read"),
      (
        "openid profile offline_access https://graph.microsoft.com/User.Read",
        "email openid profile https://graph.microsoft.com/User.Read https://graph.microsoft.com/Calendars.Read"
      ),
      (
        "openid profile offline_access https://graph.microsoft.com/.default",
        "email openid profile https://graph.microsoft.com/User.Read https://graph.microsoft.com/Calendars.Read https://graph.microsoft.com/.default"
      ),
      (
        "openid profile offline_access api://orders.contoso.com/Orders.Read",
        "api://orders.contoso.com/Orders.Read api://orders.contoso.com/Orders.Write"
      ),
      (
        "openid profile offline_access https://management.azure.com//.default",
        "https://management.azure.com//user_impersonation https://management.azure.com//.default"
      ),
    ])
  func scopeEcho(requested: String, returned: String) async throws {
    let stage = Stage(app: { app in
      app.adminConsent = [
        "openid", "User.Read", "Calendars.Read", "api://orders.contoso.com/Orders.Read",
        "api://orders.contoso.com/Orders.Write", "https://management.azure.com//user_impersonation",
      ]
    })
    let tokens = try await stage.signIn()
    let response = try await stage.refresh(tokens, scope: requested)
    #expect(response.json["scope"]?.string == returned, "\(response.json)")
  }

  @Test("access tokens have the resource's version and audience")
  func versions() async throws {
    let stage = Stage(app: { app in
      app.adminConsent = ["openid", "User.Read", "api://orders.contoso.com/Orders.Read"]
    })
    let tokens = try await stage.signIn()
    let graph = try UnverifiedJWT(parsing: try #require(tokens["access_token"]?.string))
    #expect(graph.claims["ver"] == "1.0")
    #expect(graph.claims["aud"] == "https://graph.microsoft.com")
    #expect(graph.claims["iss"] == "https://sts.windows.net/c0a70500-7e4a-4c00-8000-000000000001/")
    #expect(graph.claims["appid"]?.string == Stage.clientID)
    #expect(graph.claims["upn"] == "megan@contoso.com")
    #expect(graph.header["x5t"] == graph.header["kid"])
    let response = try await stage.refresh(tokens, scope: "api://orders.contoso.com/Orders.Read openid")
    let orders = try UnverifiedJWT(parsing: try #require(response.json["access_token"]?.string))
    #expect(orders.claims["ver"] == "2.0")
    #expect(orders.claims["aud"] == "c0a70500-0ada-4c00-8000-000000000001")
    #expect(orders.claims["scp"] == "Orders.Read")
    #expect(orders.claims["azp"]?.string == Stage.clientID)
    #expect(orders.claims["sub"] != graph.claims["sub"])
    let idToken = try UnverifiedJWT(parsing: try #require(response.json["id_token"]?.string))
    #expect(idToken.claims["sub"] != graph.claims["sub"])
  }

  @Test("a refresh token stays valid after use, and each response contains a new one")
  func refreshing() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let first = try await stage.refresh(tokens)
    let second = try await stage.refresh(tokens)
    #expect(first.status == 200 && second.status == 200)
    #expect(first.json["refresh_token"] != tokens["refresh_token"])
    // Each use extends the lifetime, so a token that is used every two months stays valid for years.
    var current = tokens
    for _ in 0..<6 {
      stage.clock.advance(by: .seconds(60 * 86_400))
      let response = try await stage.refresh(current)
      try #require(response.status == 200)
      current = response.json
    }
  }

  @Test("only apps of the family can redeem a family refresh token")
  func family() async throws {
    let stage = Stage(app: { $0.family = true })
    let sibling = "66666666-7777-4888-8999-aaaaaaaaaaaa"
    for (id, isOfTheFamily) in [(sibling, true), ("99999999-7777-4888-8999-aaaaaaaaaaaa", false)] {
      var app = RegisteredApp(appId: id, publicRedirectUris: ["msauth.com.contoso.notes://auth"])
      app.family = isOfTheFamily
      app.adminConsent = ["openid", "User.Read"]
      stage.emulator.register(app: app)
    }
    let tokens = try await stage.signIn()
    #expect(tokens["foci"] == "1")
    let shared = try await stage.refresh(tokens, changing: ["client_id": sibling])
    #expect(shared.status == 200)
    let idToken = try UnverifiedJWT(parsing: try #require(shared.json["id_token"]?.string))
    #expect(idToken.claims["aud"]?.string == sibling)
    let accessToken = try UnverifiedJWT(parsing: try #require(shared.json["access_token"]?.string))
    #expect(accessToken.claims["appid"]?.string == sibling)
    #expect(try await stage.refresh(shared.json, changing: ["client_id": sibling]).status == 200)
    let other = try await stage.refresh(tokens, changing: ["client_id": "99999999-7777-4888-8999-aaaaaaaaaaaa"])
    #expect(other.json["suberror"] == "client_mismatch")
  }

  @Test("only one of eight concurrent redemptions succeeds")
  func race() async throws {
    let stage = Stage()
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let code = try #require(end.parameters["code"])
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 { group.addTask { try await stage.redeem(code).status } }
      return try await group.reduce(into: [Int]()) { $0.append($1) }
    }
    #expect(statuses.count { $0 == 200 } == 1)
  }

  @Test("after a revocation, Graph sends a claims challenge, refresh returns bad_token, and a new sign-in succeeds")
  func continuousAccess() async throws {
    let stage = Stage()
    let claims = #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#
    let walker = PageWalker(stage)
    let end = try await walker.signIn(Stage.authorizeURL(changing: ["claims": claims]), as: "megan@contoso.com")
    let tokens = try await stage.redeem(try #require(end.parameters["code"]), changing: ["claims": claims]).json
    #expect(tokens["expires_in"] == 86_399)
    #expect(tokens["refresh_in"] == 43_199)
    let accessToken = try #require(tokens["access_token"]?.string)
    #expect(try UnverifiedJWT(parsing: accessToken).claims["xms_cc"] == ["cp1"])
    try await stage.simulate([["sessionsRevoked": "megan@contoso.com"]])
    let rejected = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me", headers: [.authorization: "Bearer \(accessToken)"])
    #expect(rejected.head.status.code == 401)
    let challenge = try #require(rejected.head.headerFields[.wwwAuthenticate])
    #expect(challenge.contains("error=\"insufficient_claims\""))
    let demand = String(
      decoding: try Base64.decode(try #require(challenge.between("claims=\"", "\"").first)), as: UTF8.self)
    #expect(demand.contains("\"nbf\""))
    let response = try await stage.refresh(tokens, changing: ["claims": demand])
    #expect(response.json["suberror"] == "bad_token")
    // The revocation also ended the browser's session.
    let step = try await walker.get(Stage.authorizeURL(changing: ["claims": demand]))
    #expect(step.page?.screen == "username")
    let fresh = try await stage.signIn(browser: walker, changing: ["claims": claims])
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(fresh["access_token"]?.string))
    #expect(me["displayName"] == "Megan Bowen")
  }

  @Test("without the client capability, access tokens stay valid after a revocation")
  func oldTokens() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([["sessionsRevoked": "megan@contoso.com"]])
    let accessToken = try #require(tokens["access_token"]?.string)
    #expect(try await stage.json("https://graph.microsoft.com/v1.0/me", bearer: accessToken)["id"] != nil)
    stage.clock.advance(by: .seconds(3601))
    let expired = try await stage.json("https://graph.microsoft.com/v1.0/me", bearer: accessToken)
    #expect(expired["error"]?["code"] == "InvalidAuthenticationToken")
  }

  @Test("a sign-in with a second factor satisfies a policy's claims challenge")
  func authenticationContext() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([["policyAdded": ["name": "Step up", "require": "mfa", "challengeWith": "claims"]]])
    let accessToken = try #require(tokens["access_token"]?.string)
    let rejected = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me", headers: [.authorization: "Bearer \(accessToken)"])
    let challenge = try #require(rejected.head.headerFields[.wwwAuthenticate])
    let demand = String(
      decoding: try Base64.decode(try #require(challenge.between("claims=\"", "\"").first)), as: UTF8.self)
    #expect(try await stage.refresh(tokens, changing: ["claims": demand]).json["error_codes"] == [50079])
    let walker = PageWalker(stage)
    let fresh = try await stage.signIn(browser: walker, changing: ["claims": demand])
    #expect(walker.screens.contains("mfa"))
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(fresh["access_token"]?.string))
    #expect(me["displayName"] == "Megan Bowen")
  }

  @Test("another emulator with the same directory and snapshot accepts tokens and cookies")
  func snapshot() async throws {
    let first = Stage(seed: 1)
    let walker = PageWalker(first)
    let end = try await walker.signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let code = try #require(end.parameters["code"])
    let tokens = try await first.redeem(code).json
    _ = try await first.signIn("paul@contoso.com")
    let text = first.emulator.snapshot().text()

    let second = Stage(snapshot: try JSON(parsing: Array(text.utf8)), seed: 2)
    #expect(try await second.refresh(tokens).status == 200)
    #expect(try await second.redeem(code).json["error_codes"] == [54005])
    let me = try await second.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(tokens["access_token"]?.string))
    #expect(me["displayName"] == "Megan Bowen")
    // The snapshot contains the changed password and the consent.
    let paul = PageWalker(second)
    let again = try await paul.signIn(Stage.authorizeURL(), as: "paul@contoso.com", password: "Fake-New-Password-2")
    #expect(again.parameters["code"] != nil)
    #expect(paul.screens == ["username", "password"])
    #expect(second.emulator.snapshot()["consents"] == first.emulator.snapshot()["consents"])
  }

  @Test(
    "an invalid snapshot is ignored", arguments: ["null", "[]", #"{"version":1,"sessions":7,"users":{"x":{}}}"#])
  func damagedSnapshot(text: String) async throws {
    let stage = Stage(snapshot: try JSON(parsing: Array(text.utf8)))
    #expect(try await stage.signIn()["access_token"] != nil)
  }

  @Test("the same seed produces the same tokens")
  func repeatable() async throws {
    let first = try await Stage(seed: 7).signIn()
    let second = try await Stage(seed: 7).signIn()
    #expect(first == second)
  }

  @Test(
    "misbehaviors change ID tokens",
    arguments: [
      ("wrong-issuer", "iss", "https://login.evil.example/c0a70500-7e4a-4c00-8000-000000000001/v2.0"),
      ("wrong-nonce", "nonce", "another-nonce"),
    ])
  func misbehavior(name: String, claim: String, value: String) async throws {
    let stage = Stage()
    try await stage.simulate([["misbehaves": .string(name)]])
    let tokens = try await stage.signIn()
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims[claim]?.string == value)
  }
}

@Suite("Merging snapshots")
struct UnitedTests {
  @Test("merging keeps the consents and sessions of both emulators")
  func merged() async throws {
    let first = Stage(seed: 1)
    let second = Stage(seed: 2)
    let tokens = try await first.signIn(scope: "openid profile offline_access User.Read")
    let others = try await second.signIn(scope: "openid profile offline_access Calendars.Read")
    first.emulator.merge(second.emulator.snapshot())
    #expect(try await first.refresh(tokens, scope: "openid User.Read").status == 200)
    #expect(try await first.refresh(others, scope: "openid Calendars.Read").status == 200)
    let state = try await first.json("https://login.microsoftonline.com/_authflow/state")
    #expect(state["sessions"] == 2)
  }
}
