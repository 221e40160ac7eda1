import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Programs and developers rely on the IDs, times, and names in Entra's error descriptions.
@Suite("Error descriptions")
struct ErrorDescriptionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var code: Int
    var named: [String]
    var app: @Sendable (inout RegisteredApp) -> Void = { _ in }
    var provoke: @Sendable (Stage) async throws -> JSON

    var testDescription: String { "AADSTS\(code)" }
  }

  private static let contoso = "c0a70500-7e4a-4c00-8000-000000000001"
  private static let fabrikam = "https://sts.windows.net/fab12ca0-7e4a-4c00-8000-000000000001/"

  private static func code(_ stage: Stage) async throws -> String {
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    return try #require(end.parameters["code"])
  }

  static let cases: [Case] = [
    Case(code: 7_000_215, named: ["'\(Stage.clientID)'"], app: { $0.secrets = ["right"] }) { stage in
      try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "wrong",
          "scope": "https://graph.microsoft.com/.default",
        ], tenant: "contoso.com"
      ).json
    },
    Case(
      code: 1_002_012, named: ["'https://graph.microsoft.com/User.Read'"], app: { $0.secrets = ["right"] }
    ) { stage in
      try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
          "scope": "https://graph.microsoft.com/User.Read",
        ], tenant: "contoso.com"
      ).json
    },
    Case(code: 9_002_326, named: ["'https://app.example'", "'Single-Page Application'"]) { stage in
      try await stage.redeem(try await code(stage), headers: [.origin: "https://app.example"]).json
    },
    Case(code: 65001, named: ["'\(Stage.clientID)' named 'Stock'"], app: { $0.name = "Stock" }) { stage in
      try await stage.refresh(try await stage.signIn(), scope: "api://orders.contoso.com/Orders.Read").json
    },
    Case(code: 28000, named: ["User.Read api://orders.contoso.com/Orders.Read"]) { stage in
      try await stage.redeem(
        try await code(stage), changing: ["scope": "User.Read api://orders.contoso.com/Orders.Read"]
      ).json
    },
    Case(code: 700_016, named: ["'unknown'", "'\(contoso)'"]) { stage in
      try await stage.token(["grant_type": "refresh_token", "client_id": "unknown"]).json
    },
    Case(code: 50020, named: ["'felix@fabrikam.com'", "'\(fabrikam)'", "'\(contoso)'", Stage.clientID]) { stage in
      try await stage.refresh(try await stage.signIn("felix@fabrikam.com"), tenant: "contoso.com").json
    },
    Case(code: 50034, named: ["'unknown@contoso.com'", "'\(contoso)'"]) { stage in
      try await stage.token(
        [
          "grant_type": "password", "client_id": Stage.clientID, "username": "unknown@contoso.com", "password": "x",
          "scope": "User.Read",
        ], tenant: "contoso.com"
      ).json
    },
    Case(code: 50079, named: ["'00000003-0000-0000-c000-000000000000'"]) { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
      return try await stage.refresh(tokens).json
    },
    Case(code: 700_082, named: ["issued on 2025-01-01T00:00:00Z", "not used for 90.00:00:00."]) { stage in
      let tokens = try await stage.signIn()
      stage.clock.advance(by: .seconds(91 * 86_400))
      return try await stage.refresh(tokens).json
    },
  ]

  @Test("a description contains the code, a colon, and the relevant IDs", arguments: cases)
  func names(_ one: Case) async throws {
    let response = try await one.provoke(Stage(app: one.app))
    let text = response["error_description"]?.string ?? ""
    #expect(text.hasPrefix("AADSTS\(one.code): "), "\(text)")
    for name in one.named { #expect(text.contains(name), "\(text)") }
    #expect(text.split(separator: " Trace ID: ").count == 2 && !text.dropFirst(6).contains("AADSTS"), "\(text)")
  }

  @Test("an emulator server shows the device page at /devicelogin and at Entra's path")
  func devicePage() async throws {
    let stage = Stage(servesEveryHost: true)
    let base = "http://localhost:8400"
    let form: Parameters = ["client_id": .init(Stage.clientID), "scope": "User.Read"]
    let response = try await stage.send(
      .post, base + "/common/oauth2/v2.0/devicecode", headers: [.contentType: FormCoding.mediaType],
      body: Array(FormCoding.serialize(form).utf8))
    let result = try JSON(parsing: response.body)
    #expect(result["verification_uri"]?.string == base + "/devicelogin")
    #expect(result["message"]?.string?.contains(base + "/devicelogin") == true)
    for path in ["/devicelogin", "/common/oauth2/deviceauth"] {
      let page = try #require(try await PageWalker(stage).get(base + path).page)
      #expect(page.screen == "deviceCode")
      #expect(page.action == base + "/devicelogin")
    }
  }
}
