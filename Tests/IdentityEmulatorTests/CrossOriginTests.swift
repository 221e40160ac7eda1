import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests which responses a page from another origin can read. Browsers report all other responses as "Failed to fetch".
@Suite("Cross-origin error responses")
struct CrossOriginTests {
  private static let origin: HTTPFields = [.origin: "https://spa.example"]
  private static let login = "https://login.microsoftonline.com"

  private static var strict: EmulatedDirectory {
    var directory = EmulatedDirectory.contoso
    directory.registersOnTheFly = false
    return directory
  }

  @Test("pages can read token errors for an app without a single-page redirect URI")
  func tokenErrors() async throws {
    let stage = Stage()
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    let code = try #require(end.parameters["code"])
    let foreign = try await stage.redeem(code, headers: Self.origin)
    #expect(foreign.json["error_codes"] == [9_002_326])
    let garbage = try await stage.redeem("garbage", headers: Self.origin)
    #expect(garbage.json["error_codes"] == [9_002_313])
    let unknown = try await Stage(directory: Self.strict).token(
      ["grant_type": "refresh_token", "client_id": "11111111-2222-4333-8444-555555555555"], headers: Self.origin)
    #expect(unknown.json["error_codes"] == [700_016])
    let tenant = try await Stage(directory: Self.strict).token(
      ["grant_type": "refresh_token", "client_id": Stage.clientID], tenant: "unknown.example", headers: Self.origin)
    #expect(tenant.json["error_codes"] == [90002])
    for response in [foreign, garbage, unknown, tenant] {
      #expect(response.headers[.accessControlAllowOrigin] == "*", "\(response.json)")
    }
    #expect(try await stage.redeem("garbage").headers[.accessControlAllowOrigin] == nil)
  }

  @Test(
    "pages can read discovery errors",
    arguments: [
      ("/unknown.example/v2.0/.well-known/openid-configuration", "invalid_tenant", 90002),
      ("/unknown/v2.0/.well-known/openid-configuration", "invalid_tenant", 90002),
      ("/odd!/v2.0/.well-known/openid-configuration", "invalid_request", 900_023),
      (
        "/common/discovery/instance?api-version=1.1&authorization_endpoint=https://evil.example/common",
        "invalid_instance", 50049
      ),
      ("/common/discovery/instance?api-version=1.1", "invalid_request", 900_144),
    ])
  func discoveryErrors(path: String, error: String, code: Int64) async throws {
    let response = try await Stage(directory: Self.strict).send(.get, Self.login + path, headers: Self.origin)
    let json = try JSON(parsing: response.body)
    #expect(response.head.status.code == 400)
    #expect(json["error"]?.string == error)
    #expect(json["error_codes"] == [.integer(code)])
    #expect(response.head.headerFields[.accessControlAllowOrigin] == "*")
  }

  @Test(
    "preflight requests succeed for every origin and tenant",
    arguments: [
      (login + "/common/oauth2/v2.0/token", "POST, OPTIONS"),
      (login + "/unknown.example/oauth2/v2.0/token", "POST, OPTIONS"),
      (login + "/common/v2.0/.well-known/openid-configuration", "GET, OPTIONS"),
      (login + "/unknown.example/discovery/v2.0/keys", "GET, OPTIONS"),
      (login + "/common/discovery/instance", "GET, OPTIONS"),
      ("https://graph.microsoft.com/oidc/userinfo", "GET, POST, OPTIONS"),
    ])
  func preflights(url: String, methods: String) async throws {
    var headers = Self.origin
    headers[.accessControlRequestHeaders] = "authorization,x-client-sku"
    let response = try await Stage(directory: Self.strict).send(.options, url, headers: headers)
    #expect(response.head.status.code == 200)
    #expect(response.head.headerFields[.accessControlAllowOrigin] == "*")
    #expect(response.head.headerFields[.accessControlAllowMethods] == methods)
    #expect(response.head.headerFields[.accessControlAllowHeaders] == "authorization,x-client-sku")
  }

  @Test("a preflight request does not trigger a fault, and pages can read the fault's error")
  func faults() async throws {
    let stage = Stage()
    try await stage.simulate([["fault": ["at": "token", "response": ["code": "AADSTS90033"]]]])
    let preflight = try await stage.send(.options, Self.login + "/common/oauth2/v2.0/token", headers: Self.origin)
    #expect(preflight.head.status.code == 200)
    let response = try await stage.redeem("garbage", headers: Self.origin)
    #expect(response.json["error_codes"] == [90033])
    #expect(response.headers[.accessControlAllowOrigin] == "*")
  }
}
