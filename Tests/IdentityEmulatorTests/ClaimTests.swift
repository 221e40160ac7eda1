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

@Suite("Optional claims and certificates")
struct ClaimTests {
  private static let orders = "api://orders.contoso.com/Orders.Read"
  private static let ordersID = "c0a70500-0ada-4c00-8000-000000000001"

  /// Returns the Contoso directory with `count` groups. Megan is a member of each group.
  private static func directory(groups count: Int) -> EmulatedDirectory {
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

  @Test("a token lists up to 200 groups, and links to Graph if there are more", arguments: [3, 200, 201])
  func groups(count: Int) async throws {
    let stage = Stage(directory: Self.directory(groups: count), app: { $0.groupMembershipClaims = .securityGroup })
    let claims = try Self.claims(try await stage.signIn())
    #expect(claims["groups"]?.array?.count == (count <= 200 ? count : nil))
    #expect((claims["_claim_names"] == ["groups": "src1"]) == (count > 200))
    #expect((claims["_claim_sources"]?["src1"]?["endpoint"] != nil) == (count > 200))
    #expect(claims["wids"] == nil)
  }

  @Test("tokens from the authorize endpoint list up to six groups", arguments: [6, 7])
  func implicitGroups(count: Int) async throws {
    let stage = Stage(
      directory: Self.directory(groups: count),
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

  @Test("adds the app roles and optional claims that the app registration or the claims parameter requests")
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
    // The `login_hint` claim is accepted as a login hint.
    let hint = try #require(claims["login_hint"]?.string)
    let step = try await PageWalker(stage).get(Stage.authorizeURL(changing: ["login_hint": hint]))
    #expect(step.page?.screen == "password")
  }

  @Test("an API's app registration determines the claims in the API's tokens")
  func resourceClaims() async throws {
    let stage = Stage(directory: Self.directory(groups: 2), app: { $0.adminConsent = ["openid", Self.orders] })
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

  @Test("Graph tokens contain claims that only Graph uses")
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
    "a client can authenticate with a certificate, and the token contains the method", arguments: ["x5t", "wrong"])
  func credentials(method: String) async throws {
    let stage = Stage(app: { $0.certificates = [TestCertificate.pem] })
    let header: JSON =
      method == "x5t"
      ? ["x5t": .string(try TestCertificate.thumbprint())] : ["x5t": "AAAAAAAAAAAAAAAAAAAAAAAAAAA"]
    let assertion: JSON = [
      "sub": .string(Stage.clientID), "iss": .string(Stage.clientID),
      "aud": "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/token",
      "exp": .integer(stage.clock.now.secondsSince1970 + 600),
    ]
    let response = try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "scope": "https://graph.microsoft.com/.default",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": try TestCertificate.sign(assertion, header: header),
      ], tenant: "contoso.com")
    if method == "wrong" {
      #expect(response.json["error_codes"] == [700_027])
    } else {
      #expect(try Self.claims(response.json, "access_token")["appidacr"] == "2", "\(response.json)")
    }
  }

  @Test("an app that handles claims challenges gets a long-lived app-only token")
  func workload() async throws {
    let stage = Stage(app: { $0.secrets = ["right"] })
    let response = try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
        "scope": "https://graph.microsoft.com/.default",
        "claims": #"{"access_token": {"xms_cc": {"values": ["CP1"]}}}"#,
      ], tenant: "contoso.com")
    #expect(response.json["expires_in"] == 86_399)
    #expect(response.json["refresh_in"] == 43_199)
    #expect(try Self.claims(response.json, "access_token")["xms_cc"] == ["cp1"])
    #expect(try Self.claims(response.json, "access_token")["appidacr"] == "1")
  }

  @Test("a key from the directory is published with a certificate whose thumbprint is the key ID")
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

  @Test("userinfo requires a Graph token with the openid scope")
  func userinfo() async throws {
    let stage = Stage(app: { $0.adminConsent = ["openid", Self.orders] })
    let url = "https://graph.microsoft.com/oidc/userinfo"
    func userinfo(token: String?, _ method: HTTPRequest.Method = .get) async throws -> ResponseMessage {
      try await stage.send(method, url, headers: token.map { [.authorization: "Bearer \($0)"] } ?? [:])
    }
    let openID = try await stage.signIn()
    #expect(try await userinfo(token: openID["access_token"]?.string).head.status.code == 200)
    #expect(try await userinfo(token: openID["access_token"]?.string, .post).head.status.code == 200)
    let bare = try await userinfo(token: try await stage.signIn(scope: "User.Read")["access_token"]?.string)
    #expect(bare.head.status.code == 403)
    #expect(bare.head.headerFields[.wwwAuthenticate]?.contains("insufficient_scope") == true)
    let foreign = try await userinfo(
      token: try await stage.signIn(scope: "openid \(Self.orders)")["access_token"]?.string)
    #expect(foreign.head.status.code == 401)
    #expect(foreign.head.headerFields[.wwwAuthenticate]?.contains("error=\"invalid_token\"") == true)
    let none = try await userinfo(token: nil)
    #expect(none.head.status.code == 401)
    #expect(none.head.headerFields[.wwwAuthenticate]?.contains("error") == false)
  }

  @Test("an on-behalf-of request for a user who needs a second factor returns a claims challenge")
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
    let result = try await exchange(tokens["access_token"]?.string)
    #expect(result["error"] == "interaction_required", "\(result)")
    #expect(result["suberror"] == "basic_action")
    #expect(result["claims"]?.string?.contains("capolids") == true)
    // An assertion with a second factor satisfies the policy.
    try await stage.simulate([["policyRemoved": "MFA"]])
    let mona = try await stage.signIn("mona@contoso.com", scope: "openid offline_access \(Self.orders)")
    try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
    #expect(try await exchange(mona["access_token"]?.string)["access_token"] != nil)
  }

  @Test("id_token_hint and sid select the account")
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

  @Test("declined admin consent returns an error in the endpoint version's format", arguments: ["", "v2.0/"])
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

  @Test("the user realm response for a federated domain contains its federation service")
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

  @Test("an app can request a token for itself by its GUID but not by its identifier URI")
  func itself() async throws {
    let stage = Stage()
    let uri = try await PageWalker(stage).get(Stage.authorizeURL(scope: "openid api://\(Stage.clientID)/.default"))
    #expect(uri.parameters["error_description"]?.hasPrefix("AADSTS90009") == true)
    let tokens = try await stage.signIn(scope: "openid \(Stage.clientID)/.default")
    #expect(try Self.claims(tokens, "access_token")["aud"]?.string == Stage.clientID)
  }

  @Test("the glossary and the emulator contain the same error codes")
  func glossary() {
    for row in ErrorTable.rows {
      guard let entry = AADSTSGlossary.entry(row.code), let error = entry.error else { continue }
      #expect(error == row.error, "\(row.code)")
      #expect(entry.suberror == row.suberror, "\(row.code)")
    }
  }
}
