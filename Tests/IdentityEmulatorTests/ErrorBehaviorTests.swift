import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Errors on pages and in redirects")
struct ErrorBehaviorTests {
  @Test(
    "some errors show a page instead of redirecting",
    arguments: [
      ("AADSTS50011", ["redirect_uri": "https://evil.example/cb"], "common", "megan@contoso.com"),
      ("AADSTS50057", [:], "common", "dora@contoso.com"),
      ("AADSTS50034", [:], "common", "unknown@contoso.com"),
      ("AADSTS50020", [:], "contoso.com", "felix@fabrikam.com"),
      ("AADSTS900023", [:], "no_tenant", "megan@contoso.com"),
    ] as [(String, Parameters, String, String)])
  func pages(code: String, changes: Parameters, tenant: String, username: String) async throws {
    let stage = Stage()
    let end = try await PageWalker(stage).signIn(
      Stage.authorizeURL(tenant: tenant, changing: changes), as: username)
    #expect(end.page?.code == code, "\(end)")
  }

  @Test("a wrong password shows an error, and ten wrong passwords lock the account for one minute")
  func lockout() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL(changing: ["login_hint": "megan@contoso.com"]))
    for attempt in 1...10 {
      step = try await walker.send(try #require(step.page), ["passwd": "wrong"])
      #expect(step.page?.code == (attempt < 10 ? "AADSTS50126" : "AADSTS50053"))
      #expect(step.page?.screen == "password")
    }
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    #expect(step.page?.code == "AADSTS50053")
    stage.clock.advance(by: .seconds(61))
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    #expect(step.page?.screen == "consent")
  }

  @Test(
    "request errors are redirected to the app",
    arguments: [
      ("invalid_request", "AADSTS900144", ["scope": " "]),
      ("unsupported_response_type", "AADSTS70005", ["response_type": "magic"]),
      ("invalid_request", "AADSTS90010", ["prompt": "dance"]),
      ("invalid_request", "AADSTS50147", ["code_challenge": "short"]),
      ("unsupported_response_type", "AADSTS700054", ["response_type": "id_token"]),
      ("invalid_request", "AADSTS9002313", ["claims": "no json"]),
      ("login_required", "AADSTS50058", ["prompt": "none"]),
      ("invalid_target", "AADSTS9010010", ["resource": "https://vault.azure.net"]),
      ("invalid_request", "AADSTS90005", ["login_hint": "a", "id_token_hint": "b"]),
    ] as [(String, String, Parameters)])
  func redirects(error: String, code: String, changes: Parameters) async throws {
    let end = try await PageWalker(Stage()).get(Stage.authorizeURL(changing: changes))
    #expect(end.parameters["error"] == error)
    #expect(end.parameters["error_description"]?.hasPrefix(code + ":") == true, "\(end)")
    #expect(end.parameters["state"] == "st&te=1")
  }

  @Test("a silent request that requires user interaction returns an error to the app")
  func silent() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    let consent = try await walker.get(
      Stage.authorizeURL(scope: "openid Mail.Read", changing: ["prompt": "none"]))
    #expect(consent.parameters["error"] == "consent_required")
    #expect(consent.parameters["error_description"]?.hasPrefix("AADSTS65001") == true)
    try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
    let factor = try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"]))
    #expect(factor.parameters["error"] == "interaction_required")
    #expect(factor.parameters["claims"]?.contains("capolids") == true)
  }

  @Test("16 identical requests within five minutes count as a loop")
  func loop() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    for _ in 0..<14 { #expect(try await walker.get(Stage.authorizeURL()).parameters["code"] != nil) }
    _ = try await walker.get(Stage.authorizeURL())
    let looped = try await walker.get(Stage.authorizeURL())
    #expect(looped.parameters["error_description"]?.hasPrefix("AADSTS50196") == true)
    stage.clock.advance(by: .seconds(301))
    #expect(try await walker.get(Stage.authorizeURL()).parameters["code"] != nil)
  }

  @Test("sign-in requires user assignment and a registered redirect URI")
  func registrations() async throws {
    let assigned = Stage(app: { $0.assignedUsers = ["alex@contoso.com"] })
    let end = try await PageWalker(assigned).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    #expect(end.page?.code == "AADSTS50105")
    #expect(try await assigned.signIn("alex@contoso.com")["access_token"] != nil)
    let bare = Stage(app: { $0.publicRedirectUris = [] })
    let step = try await PageWalker(bare).get(Stage.authorizeURL(without: ["redirect_uri"]))
    #expect(step.page?.code == "AADSTS900971")
  }

  @Test("personal accounts cannot consent to permissions for organizations")
  func workScopes() async throws {
    let end = try await PageWalker(Stage()).signIn(
      Stage.authorizeURL(scope: "openid User.ReadBasic.All"), as: "pat@outlook.com")
    #expect(end.parameters["error"] == "invalid_scope")
  }

  @Test("max_age requires a recent sign-in and adds auth_time to the ID token")
  func maxAge() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    _ = try await stage.signIn(browser: walker)
    stage.clock.advance(by: .seconds(600))
    #expect(try await walker.get(Stage.authorizeURL(changing: ["max_age": "3600"])).parameters["code"] != nil)
    let step = try await walker.get(Stage.authorizeURL(changing: ["max_age": "60"]))
    #expect(step.page?.screen == "password")
    let end = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
    let tokens = try await stage.redeem(try #require(end.parameters["code"])).json
    let claims = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string)).claims
    #expect(claims["auth_time"]?.integer == stage.clock.now.secondsSince1970)
  }

  @Test("denying the second factor leads to an error page")
  func deniedFactor() async throws {
    let stage = Stage()
    let walker = PageWalker(stage)
    var step = try await walker.get(Stage.authorizeURL(changing: ["login_hint": "mona@contoso.com"]))
    step = try await walker.send(try #require(step.page), ["passwd": "Fake-Mona-1"])
    step = try await walker.send(try #require(step.page), ["mfa": "deny"])
    #expect(step.page?.screen == "error")
    #expect(step.page?.code == "AADSTS500121")
  }

  @Test("errors contain the correlation ID and the emulator's time")
  func correlation() async throws {
    let stage = Stage()
    stage.clock.advance(by: .seconds(86_400))
    let id = "11111111-2222-4333-8444-555555555555"
    let name = try #require(HTTPField.Name("client-request-id"))
    let response = try await stage.token(["grant_type": "x", "client_id": Stage.clientID], headers: [name: id])
    #expect(response.json["correlation_id"]?.string == id)
    #expect(response.json["timestamp"] == "2025-01-02 00:00:00Z")
    #expect(response.json["error_uri"] == "https://login.microsoftonline.com/error?code=70003")
  }
}
