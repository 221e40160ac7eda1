import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Azure AD B2C and External ID")
struct CustomerTests {
  private static let scope = "openid profile offline_access https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read"
  private static let host = "fabrikamb2c.b2clogin.com"

  @Test(
    "a customer signs in on a single page and calls an API",
    arguments: ["tfp/fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin", "fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin"])
  func signIn(path: String) async throws {
    let stage = Stage()
    let metadata = try ProviderMetadata(
      try await stage.json("https://\(Self.host)/\(path)/v2.0/.well-known/openid-configuration"))
    #expect(metadata.issuer == "https://\(Self.host)/b2c00000-7e4a-4c00-8000-000000000001/v2.0/")
    let walker = PageWalker(stage)
    let end = try await walker.signIn(
      Stage.authorizeURL(scope: Self.scope, tenant: path, host: Self.host), as: "casey@example.com")
    #expect(walker.screens == ["username"])
    let info = try ClientInfo(encoded: try #require(end.parameters["client_info"]))
    #expect(info.uid == "b2c00000-05e4-4c00-8000-000000000001-b2c_1_signupsignin")
    let tokens = try await stage.token(
      [
        "grant_type": "authorization_code", "client_id": Stage.clientID, "code": end.parameters["code"] ?? "",
        "redirect_uri": Stage.redirect, "code_verifier": Stage.verifier, "client_info": "1", "scope": Self.scope,
      ], tenant: path, host: Self.host)
    #expect(tokens.status == 200, "\(tokens.json)")
    #expect(tokens.json["scope"]?.string?.contains("https://fabrikamb2c.onmicrosoft.com/helloapi/demo.read") == true)
    let claims = try UnverifiedJWT(parsing: try #require(tokens.json["id_token"]?.string)).claims
    #expect(claims["tfp"]?.string == "B2C_1_signupsignin")
    #expect(claims["iss"]?.string == metadata.issuer)
    let hello = try await stage.json(
      "https://fabrikamb2chello.azurewebsites.net/hello", bearer: try #require(tokens.json["access_token"]?.string))
    #expect(hello["message"] == "Hello from the API")
    let refreshed = try await stage.token(
      [
        "grant_type": "refresh_token", "client_id": Stage.clientID, "scope": Self.scope,
        "refresh_token": tokens.json["refresh_token"]?.string ?? "",
      ], tenant: path, host: Self.host)
    #expect(refreshed.status == 200)
  }

  @Test("a forgotten password returns AADB2C90118, and the password reset flow sets a new password")
  func forgotten() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    let path = "tfp/fabrikamb2c.onmicrosoft.com/"
    var step = try await walker.get(
      Stage.authorizeURL(scope: Self.scope, tenant: path + "B2C_1_signupsignin", host: Self.host))
    step = try await walker.send(try #require(step.page), ["forgot": "true"])
    #expect(step.parameters["error"] == "access_denied")
    #expect(step.parameters["error_description"]?.hasPrefix("AADB2C90118: ") == true)
    step = try await walker.get(
      Stage.authorizeURL(scope: Self.scope, tenant: path + "B2C_1_passwordreset", host: Self.host))
    #expect(step.page?.screen == "username")
    step = try await walker.send(try #require(step.page), ["loginfmt": "casey@example.com"])
    #expect(step.page?.screen == "changePassword")
    step = try await walker.send(
      try #require(step.page), ["newpassword": "Fake-Other-Password", "confirmpassword": "Fake-Other-Password"])
    #expect(step.parameters["code"] != nil)
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(scope: Self.scope, tenant: path + "B2C_1_signupsignin", host: Self.host),
      as: "casey@example.com", password: "Fake-Other-Password")
    #expect(end.parameters["code"] != nil)
  }

  @Test("canceling returns AADB2C90091")
  func canceled() async throws {
    let walker = PageWalker(Stage())
    var step = try await walker.get(
      Stage.authorizeURL(
        scope: Self.scope, tenant: "fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin", host: Self.host))
    step = try await walker.send(try #require(step.page), ["cancel": "true"])
    #expect(step.parameters["error_description"]?.hasPrefix("AADB2C90091") == true)
  }

  @Test(
    "a new user creates an account",
    arguments: [
      ("fabrikamb2c.b2clogin.com", "fabrikamb2c.onmicrosoft.com/B2C_1_signupsignin"),
      ("contosocustomers.ciamlogin.com", "contosocustomers.onmicrosoft.com"),
    ])
  func signUp(host: String, path: String) async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL(scope: "openid offline_access", tenant: path, host: host))
    step = try await walker.send(try #require(step.page), ["signup": "true"])
    #expect(step.page?.screen == "signUp")
    step = try await walker.send(
      try #require(step.page),
      [
        "loginfmt": "new@example.net", "displayname": "New User", "newpassword": "Fake-New-User-1",
        "confirmpassword": "Fake-New-User-1", "signup": "true",
      ])
    if step.page?.screen == "consent" { step = try await walker.send(try #require(step.page), ["consent": "accept"]) }
    #expect(step.parameters["code"] != nil, "\(step)")
  }

  @Test("the issuer of External ID contains the tenant's host")
  func external() async throws {
    let json = try await Stage().json(
      "https://contosocustomers.ciamlogin.com/contosocustomers.onmicrosoft.com/v2.0/.well-known/openid-configuration")
    let id = "c1a30000-7e4a-4c00-8000-000000000001"
    #expect(json["issuer"]?.string == "https://\(id).ciamlogin.com/\(id)/v2.0")
    #expect(json["token_endpoint"]?.string == "https://contosocustomers.ciamlogin.com/\(id)/oauth2/v2.0/token")
  }

  @Test("unknown tenants, user flows, and apps are registered on the fly with a notice")
  func onTheFly() async throws {
    let stage = Stage()
    let metadata = try await stage.json(
      "https://acme.b2clogin.com/acme.onmicrosoft.com/B2C_1_any/v2.0/.well-known/openid-configuration")
    #expect(metadata["issuer"]?.string?.hasPrefix("https://acme.b2clogin.com/") == true)
    let tokens = try await stage.signIn(tenant: "2f1cf4f9-2f8c-4d5a-8a73-1b4b7e1f0f44")
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims["tid"] == "2f1cf4f9-2f8c-4d5a-8a73-1b4b7e1f0f44")
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(tokens["access_token"]?.string))
    #expect(me["userPrincipalName"] == "megan@contoso.com")
  }
}
