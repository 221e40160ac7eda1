import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests automatic registration and snapshots of an emulator server.
@Suite("Served emulator")
struct ServedTests {
  private static let unknownClient = "11111111-2222-4333-8444-555555555555"
  private static let base = "http://localhost:8400"

  private static func authorize(
    _ client: String, scope: String = "openid User.Read", redirect: String = "http://localhost:5000/cb"
  ) -> String {
    let query: Parameters = [
      "client_id": client, "response_type": "code", "redirect_uri": redirect, "scope": scope, "state": "1",
    ]
    return "\(base)/common/oauth2/v2.0/authorize?\(FormCoding.serialize(query))"
  }

  @Test("an unknown client ID works, and a response header reports the registration")
  func unknownApp() async throws {
    let stage = Stage(servesEveryHost: true)
    let header = try #require(HTTPField.Name("x-authflow-registered"))
    let page = try await stage.send(.get, Self.authorize(Self.unknownClient))
    #expect(page.head.status.code == 200)
    #expect(page.head.headerFields[header] == "app=\(Self.unknownClient)")
    let registered = try await stage.send(.get, Self.authorize(Stage.clientID, redirect: "http://localhost:1"))
    #expect(registered.head.headerFields[header] == nil)
  }

  @Test("endpoints have the host of the request", arguments: ["[::1]:8400", "127.0.0.1:8400", "localhost:8400"])
  func host(authority: String) async throws {
    let url = "http://\(authority)/common/v2.0/.well-known/openid-configuration"
    let metadata = try await Stage(servesEveryHost: true).json(url)
    #expect(metadata["token_endpoint"]?.string == "http://\(authority)/common/oauth2/v2.0/token")
    #expect(metadata["issuer"]?.string?.hasPrefix("http://\(authority)/") == true, "\(metadata)")
  }

  @Test("accepts registered redirect schemes with an underscore")
  func underscore() async throws {
    let redirect = "msauth.com.example.my_app://auth"
    let stage = Stage { $0.publicRedirectUris = [redirect] }
    let url = Stage.authorizeURL(changing: ["redirect_uri": redirect])
    let end = try await PageWalker(stage).signIn(url, as: "megan@contoso.com")
    let code = try #require(end.parameters["code"])
    #expect(try await stage.redeem(code, changing: ["redirect_uri": redirect]).status == 200)
  }

  @Test("rejects an unknown client ID in strict mode", arguments: [true, false])
  func strict(byDirectory: Bool) async throws {
    var directory = EmulatedDirectory.contoso
    directory.registersOnTheFly = !byDirectory
    let emulator = IdentityPlatformEmulator(
      directory: directory, clock: HandClock(), randomness: Stage().randomness,
      options: .init(servesEveryHost: true, isStrict: !byDirectory))
    for (url, code) in [
      (Self.authorize(Self.unknownClient), "AADSTS700016"),
      (
        Self.authorize(
          "04b07795-8ddb-461a-bbee-02f9e1bf7b46", scope: "api://\(Self.unknownClient)/x", redirect: "http://localhost:1"
        ),
        "AADSTS500011"
      ),
    ] {
      let response = await emulator.respond(to: try #require(RequestMessage(method: .get, url: url)))
      let result = (response.head.headerFields[.location] ?? "") + String(decoding: response.body, as: UTF8.self)
      #expect(result.contains(code), "\(code)")
    }
  }

  @Test(
    "a directory without apps registers apps on the fly unless it disables registration", arguments: [false, true])
  func noApps(isDisabled: Bool) async throws {
    let setting = isDisabled ? "registersOnTheFly: false" : ""
    let text =
      "directory: 1\ntenants: [{name: Own, domains: [own.example], users: [{username: a@own.example}]}]\n\(setting)\n"
    let document = try #require(DocumentReader.read(Array(text.utf8), named: "directory.yaml").document)
    let directory = try #require(EmulatedDirectory.read(document.root).directory)
    let page = try await Stage(directory: directory, servesEveryHost: true).send(
      .get, Self.authorize(Self.unknownClient))
    #expect(String(decoding: page.body, as: UTF8.self).contains("AADSTS700016") == isDisabled)
  }

  @Test("invalid client IDs, and unknown tenants, user flows, and named APIs are not registered on the fly")
  func notRegistered() async throws {
    let stage = Stage(servesEveryHost: true)
    let page = try await stage.send(.get, Self.authorize("some-app"))
    #expect(String(decoding: page.body, as: UTF8.self).contains("AADSTS700016"))
    for tenant in ["no-such-tenant.example", "00000000-1111-4222-8333-444444444444"] {
      let response = try await stage.send(.get, "\(Self.base)/\(tenant)/v2.0/.well-known/openid-configuration")
      let json = try JSON(parsing: response.body)
      #expect(response.head.status.code == 400)
      #expect(json["error"] == "invalid_tenant")
      #expect(json["error_codes"] == [90002])
      for member in ["error_description", "timestamp", "trace_id", "correlation_id", "error_uri"] {
        #expect(json[member] != nil, "\(member)")
      }
    }
    let api = try await stage.send(
      .get, Self.authorize(Stage.clientID, scope: "https://no-such-api.example/x", redirect: "http://localhost:1"))
    let result = (api.head.headerFields[.location] ?? "") + String(decoding: api.body, as: UTF8.self)
    #expect(result.contains("AADSTS500011"))
    let flow = try await stage.json(
      "\(Self.base)/fabrikamb2c.onmicrosoft.com/B2C_1_other/v2.0/.well-known/openid-configuration")
    #expect(flow["error"] != nil)
  }

  @Test("a tenant of a national cloud is available only on that cloud's hosts")
  func clouds() async throws {
    var directory = EmulatedDirectory.contoso
    for index in directory.tenants.indices where directory.tenants[index].name == "Fabrikam" {
      directory.tenants[index].cloud = "usGovernment"
    }
    let stage = Stage(directory: directory)
    for (host, isServed) in [
      ("login.microsoftonline.us", true), ("login.usgovcloudapi.net", true), ("login.microsoftonline.com", false),
      ("login.partner.microsoftonline.cn", false),
    ] {
      let json = try await stage.json("https://\(host)/fabrikam.com/v2.0/.well-known/openid-configuration")
      #expect((json["issuer"] != nil) == isServed, "\(host)")
      if !isServed { #expect(json["error_codes"] == [90038]) }
    }
  }

  @Test("a snapshot of an emulator server contains added registrations")
  func snapshot() async throws {
    let stage = Stage(servesEveryHost: true, app: { $0.secrets = ["secret"] })
    try await stage.simulate([
      ["policyAdded": ["name": "MFA", "require": "mfa", "for": ["users": ["megan@contoso.com"]]]]
    ])
    let device = try await stage.post("common/oauth2/v2.0/devicecode", ["scope": "User.Read"])
    let again = IdentityPlatformEmulator(
      clock: stage.clock, randomness: stage.randomness, options: .init(controlEnabled: true, servesEveryHost: true),
      snapshot: stage.emulator.snapshot())
    func token(_ form: Parameters) async throws -> JSON {
      let request = try #require(
        RequestMessage(
          method: .post, url: "\(Self.base)/contoso.com/oauth2/v2.0/token",
          headers: [.contentType: FormCoding.mediaType], body: Array(FormCoding.serialize(form).utf8)))
      return try JSON(parsing: await again.respond(to: request).body)
    }
    let credentials = try await token([
      "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "secret",
      "scope": "https://graph.microsoft.com/.default",
    ])
    #expect(credentials["access_token"] != nil, "\(credentials)")
    let password = try await token([
      "grant_type": "password", "client_id": Stage.clientID, "client_secret": "secret",
      "username": "megan@contoso.com", "password": "Fake-Megan-1", "scope": "User.Read",
    ])
    #expect(password["error_codes"] == [50079], "\(password)")
    let poll = try await token([
      "grant_type": "device_code", "client_id": Stage.clientID, "client_secret": "secret",
      "device_code": device["device_code"]?.string ?? "",
    ])
    #expect(poll["error"] == "authorization_pending", "\(poll)")
  }

  @Test("only pages from the app's origin can read tokens")
  func crossOrigin() async throws {
    let stage = Stage(app: { $0.spaRedirectUris = ["https://spa.example/"] })
    let form: Parameters = [
      "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com",
      "password": "Fake-Megan-1", "scope": "openid",
    ]
    _ = try await stage.signIn()
    for (origin, isRead) in [("https://spa.example", true), ("https://other.example", false)] {
      let response = try await stage.token(form, tenant: "contoso.com", headers: [.origin: origin])
      #expect(response.status == 200, "\(response.json)")
      #expect((response.headers[.accessControlAllowOrigin] == "*") == isRead, "\(origin)")
    }
  }

  @Test("loopback redirect URIs that differ only in port keep their platform type")
  func redirectTypes() async throws {
    let stage = Stage(app: { app in
      app.spaRedirectUris = ["http://localhost:3000/"]
      app.webRedirectUris = ["http://localhost:5000/"]
    })
    let url = Stage.authorizeURL(
      changing: ["redirect_uri": "http://localhost:3000/"], without: ["code_challenge", "code_challenge_method"])
    let result = try await PageWalker(stage).get(url)
    #expect(result.parameters["error_description"]?.hasPrefix("AADSTS9002325") == true, "\(result)")
  }

  @Test(
    "redirect URIs match according to the live service's rules",
    arguments: [
      ("http://localhost", "http://localhost:51234", true), ("http://localhost", "http://localhost:51234/", true),
      ("http://localhost", "http://127.0.0.1:51234", false), ("http://127.0.0.1", "http://127.0.0.1:1", true),
      ("http://localhost/cb", "http://localhost:1/cb", true), ("http://localhost/cb", "http://localhost:1/CB", false),
      ("http://localhost/cb", "http://localhost:1/cb/", false), ("http://localhost/cb", "https://localhost/cb", false),
      ("https://app.example", "https://app.example/", true),
      ("https://app.example/a", "https://app.example/a?x=1", false),
      ("https://*.example/a", "https://app.example/a", false),
      ("https://app.example/a", "https://app.example:444/a", false),
      ("https://app.example/a", "https://app.example.evil/a", false),
      ("https://app.example/a", "https://user@app.example/a", false),
      ("myapp://auth", "myapp://auth", true), ("myapp://auth", "myapp://auth/", false),
    ])
  func redirects(registered: String, requested: String, matches: Bool) async throws {
    let stage = Stage(app: { $0.publicRedirectUris = [registered] })
    let step = try await PageWalker(stage).get(
      Stage.authorizeURL(changing: ["redirect_uri": requested, "prompt": "none"]))
    #expect((step.page?.code == "AADSTS50011") == !matches, "\(step)")
  }
}
