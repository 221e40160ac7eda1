import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import OrderedCollections
import Testing

@Suite("Strict validation")
struct StrictnessTests {
  private static let orders = "api://orders.contoso.com/Orders.Read"
  private static let ordersID = "c0a70500-0ada-4c00-8000-000000000001"
  private static let host = "https://login.microsoftonline.com"

  private static func basic(_ id: String, _ secret: String) -> HTTPFields {
    [.authorization: "Basic " + Base64.encode("\(id):\(secret)".utf8)]
  }

  private static func control(
    _ stage: Stage, _ path: String, _ body: JSON
  ) async throws -> (status: Int, json: JSON) {
    let response = try await stage.send(
      .post, "\(host)/_authflow/\(path)", headers: [.contentType: "application/json"],
      body: Array(body.text().utf8))
    return (response.head.status.code, try JSON(parsing: response.body))
  }

  @Test(
    "an assertion is valid only in the tenant that issued it",
    arguments: [("contoso.com", nil), ("organizations", nil), ("fabrikam.com", 50020)] as [(String, Int64?)])
  func foreignAssertion(tenant: String, code: Int64?) async throws {
    var directory = EmulatedDirectory.contoso
    var api = RegisteredApp(appId: Self.ordersID, publicRedirectUris: [])
    api.secrets = ["api"]
    api.adminConsent = ["User.Read"]
    directory.apps = [api]
    let stage = Stage(directory: directory, app: { $0.adminConsent = [Self.orders] })
    let tokens = try await stage.signIn(scope: "openid offline_access \(Self.orders)")
    let response = try await stage.token(
      [
        "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": Self.ordersID,
        "client_secret": "api", "assertion": try #require(tokens["access_token"]?.string),
        "requested_token_use": "on_behalf_of", "scope": "https://graph.microsoft.com/User.Read",
      ], tenant: tenant)
    #expect(response.json["error_codes"]?.array?.first?.integer == code, "\(response.json)")
    #expect((response.json["access_token"] != nil) == (code == nil))
  }

  @Test("a device cannot request an unknown scope")
  func deviceScope() async throws {
    let response = try await Stage().post(
      "common/oauth2/v2.0/devicecode", ["scope": "https://graph.microsoft.com/UserRead"])
    #expect(response["error"] == "invalid_scope", "\(response)")
    #expect(response["error_codes"] == [70011])
  }

  @Test("issues tokens for a single-tenant app", arguments: [nil, "contoso.com"] as [String?])
  func issuesForSingleTenantApp(tenant: String?) async throws {
    let stage = Stage(app: { $0.audience = .myOrg })
    var body: JSON = ["user": "megan@contoso.com", "client": .string(Stage.clientID)]
    if let tenant { body["tenant"] = .string(tenant) }
    let response = try await Self.control(stage, "tokens", body)
    #expect(response.status == 200, "\(response.json)")
    #expect(response.json["access_token"] != nil)
  }

  @Test(
    "rejects clock values outside the supported range", arguments: ["9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"])
  func clock(text: String) async throws {
    let stage = Stage()
    #expect(try await Self.control(stage, "clock", ["set": .string(text)]).status == 400)
    #expect(try await Self.control(stage, "clock", ["set": "2262-01-01T00:00:00Z"]).status == 200)
  }

  @Test(
    "rejects fault headers with line breaks",
    arguments: [("X-A", "a\r\nSet-Cookie: b"), ("X-A", "a\nb"), ("X\r\nB", "a"), ("X A", "a")])
  func faultHeaders(name: String, value: String) async throws {
    let fault: JSON = [
      "at": "token", "response": ["status": 400, "headers": .object([name: .string(value)])],
    ]
    #expect(try await Self.control(Stage(), "faults", [fault]).status == 400)
  }

  @Test("an API cannot request a token for itself by using its URI")
  func itself() async throws {
    let stage = Stage()
    for (scope, isIn) in [("api://orders.contoso.com/.default", false), ("\(Self.ordersID)/.default", true)] {
      let response = try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Self.ordersID, "client_secret": "Fake-Orders-Secret-1",
          "scope": scope,
        ], tenant: "contoso.com")
      #expect((response.json["access_token"] != nil) == isIn, "\(response.json)")
      if !isIn { #expect(response.json["error_codes"] == [90009]) }
    }
  }

  @Test("a client can use only one authentication method")
  func oneCredential() async throws {
    let stage = Stage(app: { $0.secrets = ["right"] })
    func send(_ more: Parameters, _ headers: HTTPFields) async throws -> (status: Int, json: JSON, headers: HTTPFields)
    {
      try await stage.token(
        ["grant_type": "client_credentials", "scope": "https://graph.microsoft.com/.default"] + more,
        tenant: "contoso.com", headers: headers)
    }
    let right = Self.basic(Stage.clientID, "right")
    #expect(try await send([:], right).status == 200)
    #expect(try await send(["client_id": Stage.clientID], right).status == 200)
    for more: Parameters in [["client_id": Self.ordersID], ["client_secret": "right"]] {
      let response = try await send(more, right)
      #expect(response.status == 400)
      #expect(response.json["error"] == "invalid_request", "\(response.json)")
    }
    let wrong = try await send([:], Self.basic(Stage.clientID, "wrong"))
    #expect(wrong.status == 401)
    #expect(wrong.headers[.wwwAuthenticate]?.hasPrefix("Basic ") == true)
    let inBody = try await send(["client_id": Stage.clientID, "client_secret": "wrong"], [:])
    #expect(inBody.status == 401 && inBody.headers[.wwwAuthenticate] == nil)
  }

  private static func adminConsent(_ tenant: String) -> String {
    "\(host)/\(tenant)/v2.0/adminconsent?client_id=\(Stage.clientID)&scope=User.Read&state=7&redirect_uri="
      + FormCoding.encode(Stage.redirect)
  }

  @Test("rejects admin consent on the common endpoint")
  func adminConsentTenant() async throws {
    let stage = Stage()
    #expect(try await PageWalker(stage).get(Self.adminConsent("common")).page?.screen == "error")
    #expect(try await PageWalker(stage).get(Self.adminConsent("organizations")).page?.screen == "username")
  }

  @Test("only administrators can use the admin consent endpoint", arguments: [false, true])
  func adminConsentUser(isAfter: Bool) async throws {
    let stage = Stage()
    if isAfter {
      let end = try await PageWalker(stage).signIn(Self.adminConsent("contoso.com"), as: "adele@contoso.com")
      #expect(end.parameters["admin_consent"] == "True")
    }
    let end = try await PageWalker(stage).signIn(Self.adminConsent("contoso.com"), as: "megan@contoso.com")
    #expect(end.page?.screen == "adminApproval")
    #expect(end.page?.code == "AADSTS90094")
  }

  @Test("the v1.0 endpoint reports a missing resource")
  func resource() async throws {
    let stage = Stage(app: { $0.secrets = ["right"] })
    for more: Parameters in [
      ["grant_type": "client_credentials"],
      ["grant_type": "password", "username": "megan@contoso.com", "password": "Fake-Megan-1"],
    ] {
      let response = try await stage.post("contoso.com/oauth2/token", ["client_secret": "right"] + more)
      #expect(response["error_codes"] == [900144], "\(response)")
      #expect(response["error_description"]?.string?.contains("'resource'") == true)
    }
  }

  @Test("an empty scope in a refresh request counts as missing")
  func emptyScope() async throws {
    let stage = Stage()
    let response = try await stage.refresh(try await stage.signIn(), scope: " ")
    #expect(response.json["error_codes"] == [90009], "\(response.json)")
  }

  @Test("redirected errors use lowercase percent-encoding")
  func lowerCase() async throws {
    let stage = Stage()
    guard case .left(let url) = try await PageWalker(stage).get(Stage.authorizeURL(changing: ["prompt": "none"])) else {
      Issue.record("the error was not redirected to the app")
      return
    }
    #expect(url.contains("AADSTS50058%3a+") && url.contains("%0d%0a") || url.contains("error_uri=https%3a%2f%2f"))
    #expect(url.contains("state=st%26te%3d1"))
  }

  @Test("responses have the standard reason phrase")
  func phrases() async throws {
    let stage = Stage()
    let rejected = try await stage.send(.get, "\(Self.host)/common/oauth2/v2.0/token")
    #expect(rejected.head.status.reasonPhrase == "Bad Request")
    try await stage.simulate([["fault": ["at": "token", "response": ["status": 503]]]])
    let down = try await stage.send(.post, "\(Self.host)/common/oauth2/v2.0/token")
    #expect(down.head.status.reasonPhrase == "Service Unavailable")
  }
}
