import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import TestSupport
import Testing

/// Triggers the errors in the error table that `ErrorTests` does not cover. They occur on pages, in redirects, at other
/// endpoints, and as a result of faults.
@Suite("Errors from other endpoints")
struct ProvocationTests {
  /// A reported error. An error page contains only the error code.
  struct Report: Sendable {
    var code: String?
    var error: String?

    init(page: PageWalker.Step) { code = page.page?.code }

    init(redirect step: PageWalker.Step) {
      code = step.parameters["error_description"].flatMap { OAuthError.code(in: $0) }
      error = step.parameters["error"]
    }

    init(json: JSON) {
      code = json["error_codes"]?.array?.first?.integer.map { "AADSTS\($0)" }
      error = json["error"]?.string
    }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var code: Int
    var context: ErrorTable.Context
    var directory: EmulatedDirectory
    var app: @Sendable (inout RegisteredApp) -> Void
    var provoke: @Sendable (Stage) async throws -> Report

    init(
      _ code: Int, context: ErrorTable.Context = .standard, in directory: EmulatedDirectory = .contoso,
      app: @escaping @Sendable (inout RegisteredApp) -> Void = { _ in },
      _ provoke: @escaping @Sendable (Stage) async throws -> Report
    ) {
      self.code = code
      self.context = context
      self.directory = directory
      self.app = app
      self.provoke = provoke
    }

    var testDescription: String { "AADSTS\(code)" }
  }

  /// Completes a sign-in that ends on an error page.
  private static func page(
    _ changes: Parameters = [:], tenant: String = "common", as username: String = "megan@contoso.com",
    scope: String = "openid profile offline_access User.Read"
  ) -> @Sendable (Stage) async throws -> Report {
    { stage in
      let url = Stage.authorizeURL(scope: scope, tenant: tenant, changing: changes)
      return Report(page: try await PageWalker(stage).signIn(url, as: username))
    }
  }

  /// Sends a request whose response redirects to the app immediately.
  private static func redirect(
    _ changes: Parameters, tenant: String = "common", without: [String] = [],
    scope: String = "openid profile offline_access User.Read"
  ) -> @Sendable (Stage) async throws -> Report {
    { stage in
      let url = Stage.authorizeURL(scope: scope, tenant: tenant, changing: changes, without: without)
      return Report(redirect: try await PageWalker(stage).get(url))
    }
  }

  private static func event(_ policy: JSON) -> @Sendable (Stage) async throws -> Report {
    { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": policy]])
      return Report(json: try await stage.refresh(tokens).json)
    }
  }

  private static func fault(_ code: Int) -> @Sendable (Stage) async throws -> Report {
    { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["fault": ["at": "token", "response": ["code": .string("AADSTS\(code)")]]]])
      return Report(json: try await stage.refresh(tokens).json)
    }
  }

  private static func password(
    _ username: String, tenant: String = "organizations"
  ) -> @Sendable (Stage) async throws -> Report {
    { stage in
      Report(
        json: try await stage.token(
          [
            "grant_type": "password", "client_id": Stage.clientID, "username": username, "password": "Fake-1",
            "scope": "User.Read",
          ], tenant: tenant
        ).json)
    }
  }

  private static func directory(_ change: (inout EmulatedDirectory) -> Void) -> EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    change(&directory)
    return directory
  }

  private static let government = directory { directory in
    for index in directory.tenants.indices where directory.tenants[index].name == "Fabrikam" {
      directory.tenants[index].cloud = "usGovernment"
    }
  }

  private static func deviceCode(_ stage: Stage) async throws -> (user: String, device: String) {
    let response = try await stage.post("common/oauth2/v2.0/devicecode", ["scope": "User.Read"])
    return (response["user_code"]?.string ?? "", response["device_code"]?.string ?? "")
  }

  private static func typed(_ code: String, _ stage: Stage) async throws -> Report {
    let walker = PageWalker(stage)
    let first = try await walker.get("https://microsoft.com/devicelogin")
    return Report(page: try await walker.send(try #require(first.page), ["user_code": code]))
  }

  private static func poll(_ code: String, _ stage: Stage) async throws -> Report {
    let form: Parameters = ["grant_type": "device_code", "client_id": Stage.clientID, "device_code": code]
    return Report(json: try await stage.token(form).json)
  }

  /// Signs an assertion with the first built-in key.
  private static func assertion(_ audience: String, at stage: Stage) throws -> String {
    let claims: JSON = [
      "sub": .string(Stage.clientID), "iss": .string(Stage.clientID), "aud": .string(audience),
      "exp": .integer(stage.clock.now.secondsSince1970 + 600),
    ]
    return try TestCertificate.sign(claims, header: ["x5t": .string(try TestCertificate.thumbprint())])
  }

  static let cases: [Case] = [
    Case(16000) { stage in
      let walker = PageWalker(stage)
      _ = try await stage.signIn(browser: walker)
      _ = try await stage.signIn("alex@contoso.com", browser: walker, changing: ["prompt": "login"])
      return Report(redirect: try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"])))
    },
    Case(50020, page(tenant: "contoso.com", as: "felix@fabrikam.com")),
    Case(50034, page(as: "unknown@contoso.com")),
    Case(50049) { stage in
      let url =
        "https://login.microsoftonline.com/common/discovery/instance?authorization_endpoint=https://evil.example/"
      return Report(json: try await stage.json(url))
    },
    Case(50057, page(as: "dora@contoso.com")),
    Case(50058, redirect(["prompt": "none"])),
    Case(50089) { stage in
      let walker = PageWalker(stage)
      let first = try await walker.get(Stage.authorizeURL())
      stage.clock.advance(by: .seconds(3601))
      return Report(page: try await walker.send(try #require(first.page), ["loginfmt": "megan@contoso.com"]))
    },
    Case(500_121) { stage in
      let walker = PageWalker(stage)
      var step = try await walker.get(Stage.authorizeURL(changing: ["login_hint": "mona@contoso.com"]))
      step = try await walker.send(try #require(step.page), ["passwd": "Fake-Mona-1"])
      return Report(page: try await walker.send(try #require(step.page), ["mfa": "deny"]))
    },
    Case(50147, redirect(["code_challenge": "short"])),
    Case(50196) { stage in
      let walker = PageWalker(stage)
      _ = try await stage.signIn(browser: walker)
      for _ in 0..<15 { _ = try await walker.get(Stage.authorizeURL()) }
      return Report(redirect: try await walker.get(Stage.authorizeURL()))
    },
    Case(50196, in: directory { $0.loopGuard = true }) { stage in
      let tokens = try await stage.signIn()
      for _ in 0..<15 { #expect(try await stage.refresh(tokens).status == 200) }
      return Report(json: try await stage.refresh(tokens).json)
    },
    Case(50105, app: { $0.assignedUsers = ["alex@contoso.com"] }, page()),
    Case(50105, app: { $0.assignedUsers = ["alex@contoso.com"] }) { stage in
      let form: Parameters = [
        "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com",
        "password": "Fake-Megan-1", "scope": "User.Read",
      ]
      return Report(json: try await stage.token(form, tenant: "organizations").json)
    },
    Case(65001, context: .silent) { stage in
      let walker = PageWalker(stage)
      _ = try await stage.signIn(browser: walker)
      return Report(
        redirect: try await walker.get(Stage.authorizeURL(scope: "openid Mail.Read", changing: ["prompt": "none"])))
    },
    Case(50079, context: .silent) { stage in
      let walker = PageWalker(stage)
      _ = try await stage.signIn(browser: walker)
      try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
      return Report(redirect: try await walker.get(Stage.authorizeURL(changing: ["prompt": "none"])))
    },
    Case(65004) { stage in
      let walker = PageWalker(stage)
      var step = try await walker.get(Stage.authorizeURL(changing: ["login_hint": "megan@contoso.com"]))
      step = try await walker.send(try #require(step.page), ["passwd": "Fake-Megan-1"])
      return Report(redirect: try await walker.send(try #require(step.page), ["consent": "decline"]))
    },
    Case(65004, context: .device) { stage in
      let code = try await deviceCode(stage)
      _ = try await stage.send(
        .post, "https://login.microsoftonline.com/_authflow/devices/\(code.user)/decline",
        headers: [.contentType: "application/json"])
      return try await poll(code.device, stage)
    },
    Case(70005, redirect(["response_type": "magic"])),
    Case(700_054, redirect(["response_type": "id_token"])),
    Case(70007, app: { $0.implicitIdTokens = true }) { stage in
      let changes: Parameters = ["response_type": "id_token", "response_mode": "query"]
      return Report(redirect: try await PageWalker(stage).get(Stage.authorizeURL(changing: changes)))
    },
    Case(70016) { stage in try await poll(try await deviceCode(stage).device, stage) },
    Case(70018) { stage in try await typed("WRONGCODE", stage) },
    Case(70019) { stage in
      let code = try await deviceCode(stage)
      stage.clock.advance(by: .seconds(901))
      return try await typed(code.user, stage)
    },
    Case(70020) { stage in
      let code = try await deviceCode(stage)
      stage.clock.advance(by: .seconds(901))
      return try await poll(code.device, stage)
    },
    Case(
      700_022, app: { $0.implicitAccessTokens = true },
      page(["response_type": "token"], scope: "User.Read api://orders.contoso.com/Orders.Read")),
    Case(90005, redirect(["login_hint": "a", "id_token_hint": "b"])),
    Case(90010, redirect(["prompt": "dance"])),
    Case(90010, redirect(["prompt": "create"])),
    Case(50011, page(["redirect_uri": "https://other.example/cb"])),
    Case(90015, page(["domain_hint": String(repeating: "x", count: 16_000)])),
    Case(90094, page(as: "megan@contoso.com", scope: "openid User.Read.All")),
    Case(900_971, app: { $0.publicRedirectUris = [] }) { stage in
      Report(page: try await PageWalker(stage).get(Stage.authorizeURL(without: ["redirect_uri"])))
    },
    Case(
      9_002_325, app: { $0.spaRedirectUris = ["https://spa.example/"] },
      redirect(
        ["redirect_uri": "https://spa.example/"], without: ["code_challenge", "code_challenge_method"])),
    Case(9_002_327, app: { $0.spaRedirectUris = ["https://spa.example/"] }) { stage in
      let changes: Parameters = ["redirect_uri": "https://spa.example/"]
      let end = try await PageWalker(stage).signIn(Stage.authorizeURL(changing: changes), as: "megan@contoso.com")
      return Report(json: try await stage.redeem(try #require(end.parameters["code"]), changing: changes).json)
    },
    Case(9_002_313, context: .parameter, redirect(["claims": "no json"])),
    Case(50027, app: { $0.certificates = [TestCertificate.pem] }) { stage in
      let form: Parameters = [
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "scope": "https://graph.microsoft.com/.default",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": try assertion("https://evil.example/token", at: stage),
      ]
      return Report(json: try await stage.token(form, tenant: "contoso.com").json)
    },
    Case(50128, password("user@no-such-domain.example")),
    Case(50059, password("user")),
    Case(50158, event(["name": "External", "require": "externalControl"])),
    Case(53001, event(["name": "Joined", "require": "domainJoinedDevice"])),
    Case(530_003, event(["name": "Managed", "require": "managedDevice"])),
    Case(
      53004,
      in: directory { directory in
        for index in directory.tenants[0].users.indices
        where directory.tenants[0].users[index].username.hasPrefix("megan") {
          directory.tenants[0].users[index].risk = .high
        }
      }, page()),
    Case(
      65002,
      in: directory { directory in
        directory.resources[0].preauthorizedOnly = ["11111111-2222-4333-8444-555555555555"]
      }, redirect([:], scope: "openid api://orders.contoso.com/Orders.Read")),
    Case(650_053, redirect([:], scope: "openid https://graph.microsoft.com/UserRead")),
    Case(650_057) { stage in
      let query =
        "client_id=\(Stage.clientID)&response_type=code&redirect_uri=\(FormCoding.encode(Stage.redirect))"
        + "&resource=" + FormCoding.encode("api://orders.contoso.com")
      return Report(
        page: try await PageWalker(stage).get("https://login.microsoftonline.com/common/oauth2/authorize?\(query)"))
    },
    Case(500_201) { stage in
      let query = "client_id=\(Stage.clientID)&response_type=code&redirect_uri=\(FormCoding.encode(Stage.redirect))"
      let url = "https://login.microsoftonline.com/common/oauth2/authorize?\(query)"
      return Report(page: try await PageWalker(stage).signIn(url, as: "pat@outlook.com"))
    },
    Case(700_081, in: directory { $0.lifetimes.refreshTokenMaximum = .seconds(3600) }) { stage in
      let tokens = try await stage.signIn()
      stage.clock.advance(by: .seconds(3000))
      let next = try await stage.refresh(tokens).json
      stage.clock.advance(by: .seconds(3000))
      return Report(json: try await stage.refresh(next).json)
    },
    Case(7_000_222, app: { $0.expiredSecrets = ["old"] }) { stage in
      let form: Parameters = [
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "old",
        "scope": "https://graph.microsoft.com/.default",
      ]
      return Report(json: try await stage.token(form, tenant: "contoso.com").json)
    },
    Case(90038, in: government) { stage in
      Report(
        json: try await stage.json(
          "https://login.microsoftonline.com/fabrikam.com/v2.0/.well-known/openid-configuration"))
    },
    Case(900_439, in: government, app: { $0.tenant = "Fabrikam" }) { stage in
      Report(page: try await PageWalker(stage).get(Stage.authorizeURL()))
    },
    Case(50199, fault(50199)), Case(135_011, fault(135_011)), Case(90033, fault(90033)), Case(90055, fault(90055)),
  ]

  @Test("the error matches the row in the error table", arguments: cases)
  func row(_ one: Case) async throws {
    let report = try await one.provoke(Stage(directory: one.directory, app: one.app))
    #expect(report.code == "AADSTS\(one.code)", "\(report)")
    if let error = report.error { #expect(error == ErrorTable.row(one.code).pair(in: one.context).error) }
  }

  @Test("every row is unique, documents its trigger, and has a test")
  func table() {
    let codes = ErrorTable.rows.map(\.code)
    #expect(Set(codes).count == codes.count)
    #expect(ErrorTable.rows.allSatisfy { !$0.provokedBy.isEmpty && $0.message.hasSuffix(".") })
    let tested = Set(ErrorTests.tokenCases.map(\.code)).union(Self.cases.map(\.code))
    #expect(Set(codes).subtracting(tested).isEmpty, "\(Set(codes).subtracting(tested).sorted())")
  }
}
