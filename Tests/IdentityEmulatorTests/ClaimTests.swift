import Crypto
import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import OrderedCollections
import Testing

@Suite("Claims by registration, and keys by certificate")
struct ClaimTests {
  private static let orders = "api://orders.contoso.com/Orders.Read"
  private static let ordersID = "c0a70500-0ada-4c00-8000-000000000001"

  /// Contoso with so many groups, Megan in all of them.
  private static func crowded(_ count: Int) -> EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    directory.tenants[0].groups = (0..<count).map { number in
      var group = Group()
      group.name = "Group \(number)"
      group.id = "c0a70500-6409-4c00-8000-\(String(1_000_000_000_000 + number).dropFirst())"
      return group
    }
    for index in directory.tenants[0].users.indices where directory.tenants[0].users[index].username.hasPrefix("megan")
    {
      directory.tenants[0].users[index].memberOf = directory.tenants[0].groups.map(\.name)
    }
    return directory
  }

  private static func claims(_ json: JSON, _ name: String = "id_token") throws -> JSON {
    try UnverifiedJWT(parsing: try #require(json[name]?.string, "\(json)")).claims
  }

  @Test("groups are listed up to two hundred; beyond, the token says where to ask", arguments: [3, 200, 201])
  func groups(count: Int) async throws {
    let stage = Stage(directory: Self.crowded(count), app: { $0.groupMembershipClaims = .securityGroup })
    let claims = try Self.claims(try await stage.signIn())
    #expect(claims["groups"]?.array?.count == (count <= 200 ? count : nil))
    #expect((claims["_claim_names"] == ["groups": "src1"]) == (count > 200))
    #expect((claims["_claim_sources"]?["src1"]?["endpoint"] != nil) == (count > 200))
    #expect(claims["wids"] == nil)
  }

  @Test("straight from authorize there is room for six", arguments: [6, 7])
  func implicitGroups(count: Int) async throws {
    let stage = Stage(
      directory: Self.crowded(count),
      app: { app in
        app.groupMembershipClaims = .all
        app.implicitIdTokens = true
      })
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(changing: ["response_type": "id_token"]), as: "megan@contoso.com")
    let claims = try UnverifiedJWT(parsing: try #require(end.parameters["id_token"], "\(end)")).claims
    #expect(claims["groups"]?.array?.count == (count <= 6 ? count : nil))
    #expect((claims["hasgroups"] == true) == (count > 6))
    #expect(claims["wids"] == ["b79fbf4d-3ef9-4689-8143-76b194e85509"])
  }

  @Test("app roles and optional claims, asked for by the registration or the request")
  func optionalClaims() async throws {
    let stage = Stage(app: { app in
      app.userRoles = ["Megan@contoso.com": ["Approver", "Reader"]]
      app.optionalClaims = ["family_name", "login_hint", "acct"]
    })
    let claims = try Self.claims(
      try await stage.signIn(changing: ["claims": #"{"id_token":{"auth_time":{"essential":true},"given_name":null}}"#]))
    #expect(claims["roles"] == ["Approver", "Reader"])
    #expect(claims["family_name"] == "Bowen")
    #expect(claims["given_name"] == "Megan")
    #expect(claims["acct"] == 0)
    #expect(claims["auth_time"]?.integer == stage.clock.now.secondsSince1970)
    let plain = try Self.claims(try await Stage().signIn())
    for name in ["roles", "family_name", "given_name", "acct", "auth_time", "groups", "wids", "login_hint"] {
      #expect(plain[name] == nil, "\(name)")
    }
    // The claim is a hint to who it is.
    let hint = try #require(claims["login_hint"]?.string)
    let step = try await PageWalker(stage).get(Stage.authorizeURL(changing: ["login_hint": hint]))
    #expect(step.page?.screen == "password")
  }

  @Test("an API's own registration decides about the tokens to it")
  func resourceClaims() async throws {
    let stage = Stage(directory: Self.crowded(2), app: { $0.adminConsent = ["openid", Self.orders] })
    var api = RegisteredApp(appId: Self.ordersID, publicRedirectUris: [])
    api.accessTokenClaims = ["email", "groups", "idtyp"]
    api.userRoles = ["megan@contoso.com": ["Clerk"]]
    stage.emulator.register(app: api)
    let tokens = try await stage.signIn(scope: "openid offline_access \(Self.orders)")
    let claims = try Self.claims(tokens, "access_token")
    #expect(claims["email"] == "megan@contoso.com")
    #expect(claims["groups"]?.array?.count == 2)
    #expect(claims["roles"] == ["Clerk"])
    #expect(claims["idtyp"] == "user")
    for name in ["amr", "acr", "acct", "ipaddr", "upn", "unique_name", "puid", "wids"] {
      #expect(claims[name] == nil, "\(name)")
    }
  }

  @Test("Graph's tokens say what Graph's alone say")
  func graphClaims() async throws {
    let claims = try Self.claims(try await Stage().signIn("adele@contoso.com"), "access_token")
    for name in ["acct", "app_displayname", "platf", "puid", "signin_state", "xms_tcdt", "ipaddr", "amr"] {
      #expect(claims[name] != nil, "\(name)")
    }
    #expect(claims["idtyp"] == "user")
    #expect(claims["wids"]?.array?.contains("62e90394-69f5-4237-9190-012177145e10") == true)
    #expect(claims["scp"]?.string?.hasPrefix("openid profile email ") == true)
    let bare = try Self.claims(try await Stage().signIn(scope: "User.Read"), "access_token")
    #expect(bare["scp"] == "User.Read")
  }

  @Test(
    "tokens say how the client proved who it is, and a certificate is one way", arguments: ["x5t", "wrong"])
  func credentials(way: String) async throws {
    let stage = Stage(app: { $0.certificates = [TestCertificate.pem] })
    let header: JSON =
      way == "x5t"
      ? ["x5t": .string(try TestCertificate.thumbprint())] : ["x5t": "AAAAAAAAAAAAAAAAAAAAAAAAAAA"]
    let assertion: JSON = [
      "sub": .string(Stage.clientID), "iss": .string(Stage.clientID),
      "aud": "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token",
      "exp": .integer(stage.clock.now.secondsSince1970 + 600),
    ]
    let answer = try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "scope": "https://graph.microsoft.com/.default",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": try TestCertificate.sign(assertion, header: header),
      ], tenant: "contoso.com")
    if way == "wrong" {
      #expect(answer.json["error_codes"] == [700_027])
    } else {
      #expect(try Self.claims(answer.json, "access_token")["appidacr"] == "2", "\(answer.json)")
    }
  }

  @Test("a workload that handles challenges gets a long-lived token")
  func workload() async throws {
    let stage = Stage(app: { $0.secrets = ["right"] })
    let answer = try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
        "scope": "https://graph.microsoft.com/.default",
        "claims": #"{"access_token": {"xms_cc": {"values": ["CP1"]}}}"#,
      ], tenant: "contoso.com")
    #expect(answer.json["expires_in"] == 86_399)
    #expect(answer.json["refresh_in"] == 43_199)
    #expect(try Self.claims(answer.json, "access_token")["xms_cc"] == ["cp1"])
    #expect(try Self.claims(answer.json, "access_token")["appidacr"] == "1")
  }

  @Test("a directory's own key is published with a certificate of its own, and named by it")
  func ownKey() async throws {
    var directory = EmulatedDirectory.contoso
    directory.keys = [TestCertificate.key]
    let stage = Stage(directory: directory)
    let keys = try await stage.json("https://login.microsoftonline.com/common/discovery/v2.0/keys")
    let key = try #require(keys["keys"]?.array?.first)
    let certificate = try Base64.decode(try #require(key["x5c"]?.array?.first?.string))
    #expect(key["kid"]?.string == Base64URL.encode(Insecure.SHA1.hash(data: certificate)))
    #expect(key["x5t"] == key["kid"])
    let tokens = try await stage.signIn()
    let token = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string))
    #expect(token.header["kid"] == key["kid"])
    let published = try #require(JWKSet(keys))
    _ = try published.verify(token)
    let older = try await stage.json("https://login.microsoftonline.com/common/discovery/keys")
    #expect(older["keys"]?.array?.first?["issuer"] == nil)
    #expect(key["issuer"] == "https://login.microsoftonline.com/{tenantid}/v2.0")
  }

  @Test("userinfo wants a token for Graph with openid, and says so")
  func userinfo() async throws {
    let stage = Stage(app: { $0.adminConsent = ["openid", Self.orders] })
    let url = "https://graph.microsoft.com/oidc/userinfo"
    func ask(_ token: String?, _ method: HTTPRequest.Method = .get) async throws -> ResponseMessage {
      try await stage.send(method, url, headers: token.map { [.authorization: "Bearer \($0)"] } ?? [:])
    }
    let openID = try await stage.signIn()
    #expect(try await ask(openID["access_token"]?.string).head.status.code == 200)
    #expect(try await ask(openID["access_token"]?.string, .post).head.status.code == 200)
    let bare = try await ask(try await stage.signIn(scope: "User.Read")["access_token"]?.string)
    #expect(bare.head.status.code == 403)
    #expect(bare.head.headerFields[.wwwAuthenticate]?.contains("insufficient_scope") == true)
    let foreign = try await ask(try await stage.signIn(scope: "openid \(Self.orders)")["access_token"]?.string)
    #expect(foreign.head.status.code == 401)
    #expect(foreign.head.headerFields[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
    let none = try await ask(nil)
    #expect(none.head.status.code == 401)
    #expect(none.head.headerFields[.wwwAuthenticate]?.contains("error") == false)
  }

  @Test("on behalf of somebody who needs a second factor, the API learns what to pass on")
  func onBehalfOf() async throws {
    let stage = Stage(app: { $0.adminConsent = ["openid", Self.orders] })
    let tokens = try await stage.signIn(scope: "openid offline_access \(Self.orders)")
    try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
    func exchange(_ assertion: String?) async throws -> JSON {
      try await stage.token(
        [
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": Self.ordersID,
          "client_secret": "Fake-Orders-Secret-1", "assertion": assertion ?? "",
          "requested_token_use": "on_behalf_of", "scope": "https://graph.microsoft.com/User.Read",
        ], tenant: "contoso.com"
      ).json
    }
    let told = try await exchange(tokens["access_token"]?.string)
    #expect(told["error"] == "interaction_required", "\(told)")
    #expect(told["suberror"] == "basic_action")
    #expect(told["claims"]?.string?.contains("capolids") == true)
    // Who has passed it is let through: the assertion says so.
    try await stage.simulate([["policyRemoved": "MFA"]])
    let mona = try await stage.signIn("mona@contoso.com", scope: "openid offline_access \(Self.orders)")
    try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
    #expect(try await exchange(mona["access_token"]?.string)["access_token"] != nil)
  }

  @Test("an ID token, and the session that it names, are hints to who it is")
  func hints() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let megan = try await stage.signIn(browser: walker)
    _ = try await stage.signIn("alex@contoso.com", browser: walker, changing: ["prompt": "login"])
    let idToken = try #require(megan["id_token"]?.string)
    let sid = try #require(try UnverifiedJWT(parsing: idToken).claims["sid"]?.string)
    for hint in [("id_token_hint", idToken), ("sid", sid)] {
      let end = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none", hint.0: hint.1]))
      let tokens = try await stage.redeem(try #require(end.parameters["code"], "\(hint.0) \(end)")).json
      #expect(try Self.claims(tokens)["preferred_username"] == "megan@contoso.com")
    }
  }

  @Test("an administrator who declines is told in the form of the endpoint", arguments: ["", "v2.0/"])
  func declinedAdminConsent(version: String) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let url =
      "https://login.microsoftonline.com/organizations/\(version)adminconsent?client_id=\(Stage.clientID)&state=7&scope=User.Read&redirect_uri="
      + FormCoding.encode(Stage.redirect)
    var step = try await walker.get(url)
    step = try await walker.send(try #require(step.page), ["loginfmt": "adele@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Adele-1"])
    step = try await walker.send(try #require(step.page), ["consent": "decline"])
    #expect(step.parameters["error"] == (version.isEmpty ? "permission_denied" : "access_denied"))
    #expect(step.parameters["error_description"]?.hasPrefix("AADSTS65004") == true)
    #expect(step.parameters["admin_consent"] == (version.isEmpty ? nil : "True"))
    #expect(step.parameters["tenant"] == nil)
    #expect(step.parameters["state"] == "7")
  }

  @Test("a federated domain is told where its own service is")
  func federated() async throws {
    var directory = EmulatedDirectory.contoso
    directory.tenants[0].federatedDomains = ["corp.contoso.com"]
    let realm = try await Stage(directory: directory).json(
      "https://login.microsoftonline.com/common/userrealm/a@corp.contoso.com?api-version=1.0")
    #expect(realm["account_type"] == "Federated")
    #expect(realm["federation_protocol"] == "WSTrust")
    for name in ["federation_metadata_url", "federation_active_auth_url", "federation_brand_name"] {
      #expect(realm[name] != nil, "\(name)")
    }
  }

  @Test("an app cannot ask for a token to itself by its identifier URI, but by its GUID")
  func itself() async throws {
    let stage = Stage()
    let uri = try await PageWalker(stage).get(Stage.authorizeURL(scope: "openid api://\(Stage.clientID)/.default"))
    #expect(uri.parameters["error_description"]?.hasPrefix("AADSTS90009") == true)
    let tokens = try await stage.signIn(scope: "openid \(Stage.clientID)/.default")
    #expect(try Self.claims(tokens, "access_token")["aud"]?.string == Stage.clientID)
  }

  @Test("the glossary and the platform say the same of every code")
  func glossary() {
    for row in ErrorTable.rows {
      guard let entry = AADSTSGlossary.entry(row.code), let error = entry.error else { continue }
      #expect(error == row.error, "\(row.code)")
      #expect(entry.suberror == row.suberror, "\(row.code)")
    }
  }
}
