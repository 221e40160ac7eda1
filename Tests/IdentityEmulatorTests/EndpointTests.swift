import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Endpoints")
struct EndpointTests {
  private static let contoso = "c0a70500-7e4a-4c00-8000-000000000001"

  @Test(
    "the discovery document contains endpoints and issuer",
    arguments: [
      ("login.microsoftonline.com", "common", "common", "https://login.microsoftonline.com/{tenantid}/v2.0"),
      (
        "login.microsoftonline.com", "organizations", "organizations",
        "https://login.microsoftonline.com/{tenantid}/v2.0"
      ),
      (
        "login.microsoftonline.com", "consumers", "consumers",
        "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"
      ),
      ("login.microsoftonline.com", "contoso.com", contoso, "https://login.microsoftonline.com/\(contoso)/v2.0"),
      ("login.windows.net", contoso, contoso, "https://login.microsoftonline.com/\(contoso)/v2.0"),
      ("login.microsoftonline.us", "common", "common", "https://login.microsoftonline.us/{tenantid}/v2.0"),
    ])
  func discovery(host: String, tenant: String, segment: String, issuer: String) async throws {
    let json = try await Stage().json("https://\(host)/\(tenant)/v2.0/.well-known/openid-configuration")
    let metadata = try ProviderMetadata(json)
    #expect(metadata.issuer == issuer)
    #expect(metadata.authorizationEndpoint == "https://\(host)/\(segment)/oauth2/v2.0/authorize")
    #expect(metadata.tokenEndpoint == "https://\(host)/\(segment)/oauth2/v2.0/token")
    #expect(metadata.deviceAuthorizationEndpoint == "https://\(host)/\(segment)/oauth2/v2.0/devicecode")
    #expect(metadata.jwksURI == "https://\(host)/\(segment)/discovery/v2.0/keys")
    #expect(metadata.endSessionEndpoint == "https://\(host)/\(segment)/oauth2/v2.0/logout")
  }

  @Test("endpoint URLs contain the host and port of the server")
  func served() async throws {
    let stage = Stage(servesEveryHost: true)
    let json = try await stage.json("http://localhost:8400/contoso.com/v2.0/.well-known/openid-configuration")
    let metadata = try ProviderMetadata(json)
    #expect(metadata.tokenEndpoint == "http://localhost:8400/\(Self.contoso)/oauth2/v2.0/token")
    #expect(metadata.issuer == "http://localhost:8400/\(Self.contoso)/v2.0")
    #expect(metadata.userinfoEndpoint == "http://localhost:8400/oidc/userinfo")
  }

  @Test("the v1.0 discovery document has a different issuer")
  func version1() async throws {
    let json = try await Stage().json("https://login.microsoftonline.com/contoso.com/.well-known/openid-configuration")
    #expect(json["issuer"]?.string == "https://sts.windows.net/\(Self.contoso)/")
    #expect(json["token_endpoint"]?.string == "https://login.microsoftonline.com/\(Self.contoso)/oauth2/token")
  }

  @Test("instance discovery lists the clouds and rejects unknown hosts")
  func instanceDiscovery() async throws {
    let stage = Stage()
    let base = "https://login.microsoftonline.com/common/discovery/instance?api-version=1.1&authorization_endpoint="
    let json = try await stage.json(base + "https://login.microsoftonline.com/common/oauth2/v2.0/authorize")
    let metadata = try #require(InstanceMetadata(json))
    #expect(metadata.cloud(of: "login.windows.net")?.preferredNetwork == "login.microsoftonline.com")
    #expect(metadata.clouds.count == 5)
    let rejected = try await stage.send(.get, base + "https://login.evil.example/common/oauth2/v2.0/authorize")
    #expect(rejected.head.status.code == 400)
    #expect(try JSON(parsing: rejected.body)["error"] == "invalid_instance")
  }

  @Test("the user realm response contains the domain type")
  func userRealm() async throws {
    let stage = Stage()
    let base = "https://login.microsoftonline.com/common/userrealm/"
    #expect(try await stage.json(base + "megan@contoso.com?api-version=1.0")["account_type"] == "Managed")
    #expect(try await stage.json(base + "a@unknown.example?api-version=1.0")["account_type"] == "Unknown")
  }

  @Test("userinfo returns the claims of the granted scopes")
  func userinfo() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let info = try await stage.json(
      "https://graph.microsoft.com/oidc/userinfo", bearer: try #require(tokens["access_token"]?.string))
    #expect(info["name"] == "Megan Bowen")
    #expect(info["email"] == "megan@contoso.com")
    #expect(info["sub"] != nil)
    let rejected = try await stage.send(.get, "https://graph.microsoft.com/oidc/userinfo")
    #expect(rejected.head.status.code == 401)
  }

  @Test("the token endpoint supports cross-origin requests from single-page apps")
  func crossOrigin() async throws {
    let stage = Stage(app: { $0.spaRedirectUris = ["https://spa.example/"] })
    let preflight = try await stage.send(
      .options, "https://login.microsoftonline.com/common/oauth2/v2.0/token", headers: [.origin: "https://spa.example"])
    #expect(preflight.head.status.code == 200)
    #expect(preflight.head.headerFields[.accessControlAllowOrigin] == "*")
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(changing: ["redirect_uri": "https://spa.example/"]), as: "megan@contoso.com")
    let code = try #require(end.parameters["code"])
    let wrong = try await stage.redeem(code, changing: ["redirect_uri": "https://spa.example/"])
    #expect(wrong.json["error_codes"] == [9_002_327])
    let right = try await stage.redeem(
      code, changing: ["redirect_uri": "https://spa.example/"], headers: [.origin: "https://spa.example"])
    #expect(right.status == 200)
    #expect(right.json["refresh_token_expires_in"] == 86_400)
    let missing = try await PageWalker(stage).get(
      Stage.authorizeURL(
        changing: ["redirect_uri": "https://spa.example/"], without: ["code_challenge", "code_challenge_method"]))
    #expect(missing.parameters["error_description"]?.hasPrefix("AADSTS9002325") == true)
  }

  @Test("the admin consent response has different parameters than a sign-in response")
  func adminConsent() async throws {
    let stage = Stage()
    let url =
      "https://login.microsoftonline.com/organizations/v2.0/adminconsent?client_id=\(Stage.clientID)&state=7&scope="
      + FormCoding.encode("https://graph.microsoft.com/User.Read.All") + "&redirect_uri="
      + FormCoding.encode(Stage.redirect)
    let end = try await PageWalker(stage).signIn(url, as: "adele@contoso.com")
    #expect(end.parameters["admin_consent"] == "True")
    #expect(end.parameters["tenant"] == Self.contoso)
    #expect(end.parameters["scope"] == "https://graph.microsoft.com/User.Read.All")
    #expect(end.parameters["state"] == "7")
  }

  @Test("client credentials return only an access token")
  func clientCredentials() async throws {
    let stage = Stage(app: { app in
      app.secrets = ["s3cret"]
      app.roles = ["User.Read.All"]
    })
    let response = try await stage.token(
      [
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "s3cret",
        "scope": "https://graph.microsoft.com/.default",
      ], tenant: "contoso.com")
    #expect(response.status == 200)
    for member in ["scope", "refresh_token", "id_token", "client_info"] { #expect(response.json[member] == nil) }
    let claims = try UnverifiedJWT(parsing: try #require(response.json["access_token"]?.string)).claims
    #expect(claims["roles"] == ["User.Read.All"])
    #expect(claims["idtyp"] == "app")
    #expect(claims["oid"] == claims["sub"])
    #expect(claims["scp"] == nil)
  }

  @Test("password and on-behalf-of grants return tokens")
  func otherGrants() async throws {
    var directory = EmulatedDirectory.contoso
    var api = RegisteredApp(appId: "c0a70500-0ada-4c00-8000-000000000001", publicRedirectUris: [])
    api.secrets = ["api"]
    api.adminConsent = ["User.Read"]
    directory.apps = [api]
    let stage = Stage(directory: directory, app: { $0.adminConsent = ["api://orders.contoso.com/Orders.Read"] })
    let first = try await stage.token(
      [
        "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com",
        "password": "Fake-Megan-1", "scope": "api://orders.contoso.com/Orders.Read", "client_info": "1",
      ], tenant: "organizations")
    #expect(first.status == 200, "\(first.json)")
    let second = try await stage.token(
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": api.appId, "client_secret": "api",
        "assertion": try #require(first.json["access_token"]?.string), "requested_token_use": "on_behalf_of",
        "scope": "https://graph.microsoft.com/User.Read",
      ], tenant: "contoso.com")
    #expect(second.status == 200, "\(second.json)")
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(second.json["access_token"]?.string))
    #expect(me["displayName"] == "Megan Bowen")
  }

  @Test(
    "device code and password flows require allowPublicClient for apps in the directory",
    arguments: [nil, false, true])
  func publicFlows(isAllowed: Bool?) async throws {
    var directory = EmulatedDirectory.contoso
    var app = RegisteredApp(appId: Stage.clientID, publicRedirectUris: [Stage.redirect])
    app.allowPublicClient = isAllowed
    directory.apps.append(app)
    let stage = Stage(directory: directory)
    let start = try await stage.post("organizations/oauth2/v2.0/devicecode", ["scope": "User.Read"])
    let grants: [Parameters] = [
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": Stage.clientID,
        "device_code": start["device_code"]?.string ?? "",
      ],
      [
        "grant_type": "password", "client_id": Stage.clientID, "scope": "User.Read", "username": "megan@contoso.com",
        "password": "wrong",
      ],
    ]
    for grant in grants {
      let error = try await stage.token(grant, tenant: "organizations").json
      #expect((error["error_codes"]?[0] == 7_000_218) == (isAllowed != true), "\(error)")
    }
  }

  @Test("a user approves a device sign-in with the user code")
  func deviceCode() async throws {
    let stage = Stage()
    let start = try await stage.send(
      .post, "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
      headers: [.contentType: FormCoding.mediaType],
      body: Array(
        FormCoding.serialize(["client_id": Stage.clientID, "scope": "openid profile offline_access User.Read"]).utf8))
    let device = try JSON(parsing: start.body)
    #expect(device["verification_uri"] == "https://microsoft.com/devicelogin")
    #expect(device["expires_in"] == 900)
    #expect(device["interval"] == 5)
    let userCode = try #require(device["user_code"]?.string)
    #expect(userCode.count == 9)
    let poll: Parameters = [
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": Stage.clientID,
      "device_code": device["device_code"]?.string ?? "", "client_info": "1",
    ]
    #expect(try await stage.token(poll).json["error"] == "authorization_pending")

    let walker = PageWalker(stage)
    var step = try await walker.get("https://microsoft.com/devicelogin")
    #expect(step.page?.screen == "deviceCode")
    step = try await walker.send(try #require(step.page), ["user_code": "WRONGCODE"])
    #expect(step.page?.code == "AADSTS70018")
    step = try await walker.send(try #require(step.page), ["user_code": userCode.lowercased()])
    step = try await walker.send(try #require(step.page), ["loginfmt": "megan@contoso.com"])
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    step = try await walker.send(try #require(step.page), ["consent": "accept", "scope": "User.Read"])
    #expect(step.page?.meta("authflow-done") == "true")
    #expect(walker.screens == ["deviceCode", "deviceCode", "username", "password", "consent", "deviceCode"])

    let tokens = try await stage.token(poll)
    #expect(tokens.status == 200)
    #expect(tokens.json["scope"] == "email openid profile User.Read")
    #expect(tokens.json["client_info"] != nil)
    #expect(try await stage.token(poll).json["error_codes"] == [7_000_014])
  }

  @Test(
    "a declined or expired device code returns an error",
    arguments: [("decline", "authorization_declined", 65004), ("expire", "expired_token", 70020)])
  func deviceRefused(action: String, error: String, code: Int64) async throws {
    let stage = Stage()
    let start = try await stage.send(
      .post, "https://login.microsoftonline.com/common/oauth2/v2.0/devicecode",
      headers: [.contentType: FormCoding.mediaType],
      body: Array(FormCoding.serialize(["client_id": Stage.clientID, "scope": "User.Read"]).utf8))
    let device = try JSON(parsing: start.body)
    let userCode = try #require(device["user_code"]?.string)
    let done = try await stage.send(.post, "https://login.microsoftonline.com/_authflow/devices/\(userCode)/\(action)")
    #expect(done.head.status.code == 200)
    let response = try await stage.token([
      "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": Stage.clientID,
      "device_code": device["device_code"]?.string ?? "",
    ])
    #expect(response.json["error"]?.string == error)
    #expect(response.json["error_codes"] == [.integer(code)])
  }
}
