import Directory
import Documents
import Effects
import Foundation
import HTTPTypes
import IdentityEmulator
import OAuth
import TestSupport
import Testing

@Suite("Token endpoint errors")
struct ErrorTests {
  /// A request that triggers an error and the expected response.
  struct Case: Sendable, CustomTestStringConvertible {
    var code: Int
    var error: String
    var suberror: String?
    var status = 400
    var provoke: @Sendable (Stage) async throws -> (status: Int, json: JSON, headers: HTTPFields)
    var directory: EmulatedDirectory = .contoso
    var app: @Sendable (inout RegisteredApp) -> Void = { _ in }

    init(
      _ code: Int, _ error: String, _ suberror: String? = nil, status: Int = 400,
      app: @escaping @Sendable (inout RegisteredApp) -> Void = { _ in },
      _ provoke: @escaping @Sendable (Stage) async throws -> (status: Int, json: JSON, headers: HTTPFields)
    ) {
      self.code = code
      self.error = error
      self.suberror = suberror
      self.status = status
      self.app = app
      self.provoke = provoke
    }

    var testDescription: String { "AADSTS\(code)" }
  }

  static func code(_ stage: Stage) async throws -> String {
    let end = try await PageWalker(stage).signIn(Stage.authorizeURL(), as: "megan@contoso.com")
    return try #require(end.parameters["code"])
  }

  static let tokenCases: [Case] = [
    Case(54005, "invalid_grant") { stage in
      let code = try await code(stage)
      _ = try await stage.redeem(code)
      return try await stage.redeem(code)
    },
    Case(70008, "invalid_grant") { stage in
      let code = try await code(stage)
      stage.clock.advance(by: .seconds(601))
      return try await stage.redeem(code)
    },
    Case(501481, "invalid_grant") { stage in
      try await stage.redeem(try await code(stage), changing: ["code_verifier": String(repeating: "x", count: 43)])
    },
    Case(500112, "invalid_client", status: 401) { stage in
      try await stage.redeem(try await code(stage), changing: ["redirect_uri": "msauth.other://auth"])
    },
    Case(9002326, "invalid_request") { stage in
      try await stage.redeem(try await code(stage), headers: [.origin: "https://app.example"])
    },
    Case(9002313, "invalid_grant") { stage in try await stage.redeem("garbage") },
    Case(70003, "unsupported_grant_type") { stage in
      try await stage.token(["grant_type": "magic", "client_id": Stage.clientID])
    },
    Case(900144, "invalid_request") { stage in try await stage.token(["client_id": Stage.clientID]) },
    Case(900144, "invalid_request") { stage in try await stage.token(["grant_type": "refresh_token"]) },
    Case(28000, "invalid_request") { stage in
      try await stage.redeem(
        try await code(stage), changing: ["scope": "User.Read api://orders.contoso.com/Orders.Read"])
    },
    Case(70011, "invalid_scope") { stage in
      try await stage.refresh(
        try await stage.signIn(), scope: "https://graph.microsoft.com/.default https://graph.microsoft.com/User.Read")
    },
    Case(65001, "invalid_grant", "consent_required") { stage in
      try await stage.refresh(try await stage.signIn(), scope: "api://orders.contoso.com/Orders.Read")
    },
    Case(90009, "invalid_request") { stage in
      let tokens = try await stage.signIn()
      return try await stage.token([
        "grant_type": "refresh_token", "client_id": Stage.clientID,
        "refresh_token": tokens["refresh_token"]?.string ?? "",
      ])
    },
    Case(50173, "invalid_grant", "bad_token") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["passwordChanged": "megan@contoso.com"]])
      return try await stage.refresh(tokens)
    },
    Case(50173, "invalid_grant", "bad_token") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["sessionsRevoked": "megan@contoso.com"]])
      return try await stage.refresh(tokens)
    },
    Case(700082, "invalid_grant") { stage in
      let tokens = try await stage.signIn()
      stage.clock.advance(by: .seconds(91 * 86_400))
      return try await stage.refresh(tokens)
    },
    Case(700082, "invalid_grant") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["refreshTokenExpired": "megan@contoso.com"]])
      return try await stage.refresh(tokens)
    },
    Case(50057, "invalid_grant") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["userDisabled": "megan@contoso.com"]])
      return try await stage.refresh(tokens)
    },
    Case(50034, "invalid_grant", "user_account_deleted") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["userDeleted": "megan@contoso.com"]])
      return try await stage.refresh(tokens)
    },
    Case(50079, "invalid_grant", "basic_action") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
      return try await stage.refresh(tokens)
    },
    Case(50076, "invalid_grant", "basic_action") { stage in
      let tokens = try await stage.signIn("mona@contoso.com")
      stage.clock.advance(by: .seconds(60))
      try await stage.simulate([["policyAdded": ["name": "MFA", "require": "mfa"]]])
      // The sign-in included a second factor, so a refresh would succeed, but the password grant fails.
      #expect(try await stage.refresh(tokens).status == 200)
      return try await stage.token(
        [
          "grant_type": "password", "client_id": Stage.clientID, "username": "mona@contoso.com",
          "password": "Fake-Mona-1", "scope": "User.Read",
        ], tenant: "organizations")
    },
    Case(53003, "invalid_grant", "message_only") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "Stop", "require": "block"]]])
      return try await stage.refresh(tokens)
    },
    Case(53000, "interaction_required", "message_only") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "Device", "require": "compliantDevice"]]])
      return try await stage.refresh(tokens)
    },
    Case(53005, "unauthorized_client", "protection_policy_required") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "App", "require": "approvedApp"]]])
      return try await stage.refresh(tokens)
    },
    Case(50125, "interaction_required", "basic_action") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "Password", "require": "passwordChange"]]])
      return try await stage.refresh(tokens)
    },
    Case(70043, "invalid_grant", "token_expired") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["policyAdded": ["name": "Often", "signInFrequency": "1h"]]])
      stage.clock.advance(by: .seconds(3700))
      return try await stage.refresh(tokens)
    },
    Case(7000112, "unauthorized_client") { stage in
      let tokens = try await stage.signIn()
      try await stage.simulate([["appDisabled": .string(Stage.clientID)]])
      return try await stage.refresh(tokens)
    },
    Case(500181, "invalid_grant") { stage in
      try await stage.refresh(
        try await stage.signIn(), changing: ["client_id": "11111111-2222-4333-8444-555555555555"])
    },
    Case(9001023, "invalid_request") { stage in
      try await stage.token([
        "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com", "password": "x",
        "scope": "User.Read",
      ])
    },
    Case(50126, "invalid_grant") { stage in
      try await stage.token(
        [
          "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com", "password": "x",
          "scope": "User.Read",
        ], tenant: "organizations")
    },
    Case(50055, "invalid_grant", "user_password_expired") { stage in
      try await stage.token(
        [
          "grant_type": "password", "client_id": Stage.clientID, "username": "paul@contoso.com",
          "password": "Fake-Paul-1", "scope": "User.Read",
        ], tenant: "organizations")
    },
    Case(50053, "invalid_grant") { stage in
      let form: Parameters = [
        "grant_type": "password", "client_id": Stage.clientID, "username": "megan@contoso.com", "password": "x",
        "scope": "User.Read",
      ]
      for _ in 0..<9 { _ = try await stage.token(form, tenant: "organizations") }
      return try await stage.token(form, tenant: "organizations")
    },
    Case(700025, "invalid_client", status: 401) { stage in
      try await stage.redeem(try await code(stage), changing: ["client_secret": "s"])
    },
    Case(7000218, "invalid_client", status: 401, app: { $0.secrets = ["right"] }) { stage in
      try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Stage.clientID,
          "scope": "https://graph.microsoft.com/.default",
        ],
        tenant: "contoso.com")
    },
    Case(7000215, "invalid_client", status: 401, app: { $0.secrets = ["right"] }) { stage in
      try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "wrong",
          "scope": "https://graph.microsoft.com/.default",
        ], tenant: "contoso.com")
    },
    Case(70000, "invalid_grant", "bad_token") { stage in
      try await stage.redeem(try await code(stage), changing: ["client_id": "11111111-2222-4333-8444-555555555555"])
    },
    Case(28003, "invalid_request") { stage in try await stage.redeem(try await code(stage), changing: ["scope": " "]) },
    Case(28002, "invalid_request") { stage in
      try await stage.redeem(try await code(stage), changing: ["scope": "User.Read\u{7}"])
    },
    Case(700005, "invalid_grant") { stage in
      try await stage.redeem(try await code(stage), tenant: "fabrikam.com")
    },
    Case(500011, "invalid_resource") { stage in
      var directory = EmulatedDirectory.contoso
      directory.registersOnTheFly = false
      let strict = Stage(directory: directory)
      return try await strict.refresh(try await strict.signIn(), scope: "api://unknown/Read")
    },
    Case(70011, "invalid_scope") { stage in
      try await stage.refresh(try await stage.signIn(), scope: "https://graph.microsoft.com/UserRead")
    },
    Case(70011, "invalid_scope") { stage in
      try await stage.redeem(try await code(stage), changing: ["scope": "https://graph.microsoft.com/UserRead"])
    },
    Case(700016, "unauthorized_client") { stage in
      var directory = EmulatedDirectory.contoso
      directory.registersOnTheFly = false
      return try await Stage(directory: directory).token(["grant_type": "x", "client_id": "unknown"])
    },
    Case(700084, "invalid_grant", app: { $0.spaRedirectUris = ["https://spa.example/"] }) { stage in
      let end = try await PageWalker(stage).signIn(
        Stage.authorizeURL(changing: ["redirect_uri": "https://spa.example/"]), as: "megan@contoso.com")
      let origin: HTTPFields = [.origin: "https://spa.example"]
      let tokens = try await stage.redeem(
        try #require(end.parameters["code"]), changing: ["redirect_uri": "https://spa.example/"], headers: origin)
      stage.clock.advance(by: .seconds(86_401))
      return try await stage.token(
        [
          "grant_type": "refresh_token", "client_id": Stage.clientID, "scope": "User.Read",
          "refresh_token": tokens.json["refresh_token"]?.string ?? "",
        ], headers: origin)
    },
    Case(50059, "invalid_request", app: { $0.secrets = ["right"] }) { stage in
      try await stage.token([
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
        "scope": "https://graph.microsoft.com/.default",
      ])
    },
    Case(1_002_012, "invalid_scope", app: { $0.secrets = ["right"] }) { stage in
      try await stage.token(
        [
          "grant_type": "client_credentials", "client_id": Stage.clientID, "client_secret": "right",
          "scope": "https://graph.microsoft.com/User.Read",
        ], tenant: "contoso.com")
    },
    Case(50013, "invalid_grant", app: { $0.secrets = ["right"] }) { stage in
      try await stage.token(
        [
          "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "client_id": Stage.clientID,
          "client_secret": "right", "assertion": "a.b.c", "requested_token_use": "on_behalf_of", "scope": "User.Read",
        ], tenant: "contoso.com")
    },
    Case(50012, "invalid_client", status: 401) { stage in
      try await stage.token([
        "grant_type": "client_credentials", "client_id": Stage.clientID, "client_assertion": "x",
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      ])
    },
    Case(700024, "invalid_client", status: 401) { stage in
      let claims: JSON = ["sub": .string(Stage.clientID), "iss": .string(Stage.clientID), "exp": 1]
      return try await stage.token([
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": UnverifiedJWT.compact(header: ["alg": "RS256"], claims: claims, signature: [1]),
      ])
    },
    Case(700027, "invalid_client", status: 401) { stage in
      let claims: JSON = ["sub": .string(Stage.clientID), "iss": .string(Stage.clientID), "exp": 1_999_999_999]
      return try await stage.token([
        "grant_type": "client_credentials", "client_id": Stage.clientID,
        "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        "client_assertion": UnverifiedJWT.compact(
          header: ["alg": "RS256", "x5t": "AAAA"], claims: claims, signature: [1]),
      ])
    },
    Case(70002, "invalid_client", status: 401) { stage in
      try await stage.token(["grant_type": "client_credentials"], headers: [.authorization: "Basic %%%"])
    },
    Case(90004, "invalid_request") { stage in
      try await stage.token(["grant_type": "refresh_token", "grant_type": "password", "client_id": Stage.clientID])
    },
    Case(900561, "invalid_request") { stage in
      let response = try await stage.send(.get, "https://login.microsoftonline.com/common/oauth2/v2.0/token")
      return (response.head.status.code, try JSON(parsing: response.body), response.head.headerFields)
    },
    Case(9_010_010, "invalid_target") { stage in
      try await stage.refresh(try await stage.signIn(), changing: ["resource": "https://vault.azure.net"])
    },
    Case(9002332, "invalid_request", app: { $0.audience = .multipleOrgs }) { stage in
      try await stage.token(["grant_type": "x", "client_id": Stage.clientID], tenant: "consumers")
    },
    Case(9002346, "invalid_request", app: { $0.audience = .personal }) { stage in
      try await stage.token(["grant_type": "x", "client_id": Stage.clientID], tenant: "contoso.com")
    },
    Case(50194, "invalid_request", app: { $0.audience = .myOrg }) { stage in
      try await stage.token(["grant_type": "x", "client_id": Stage.clientID])
    },
    Case(7000014, "invalid_grant") { stage in
      try await stage.token([
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": Stage.clientID,
        "device_code": "none",
      ])
    },
    Case(90002, "invalid_tenant") { stage in
      // The emulator does not register apps automatically if the directory lists apps.
      var directory = EmulatedDirectory.contoso
      directory.registersOnTheFly = false
      return try await Stage(directory: directory).token(
        ["grant_type": "refresh_token", "client_id": Stage.clientID], tenant: "unknown.example")
    },
    Case(900023, "invalid_request") { stage in
      try await stage.token(["grant_type": "refresh_token", "client_id": Stage.clientID], tenant: "not_a_tenant")
    },
    Case(9002313, "invalid_request") { stage in
      try await stage.token(["grant_type": "refresh_token", "client_id": Stage.clientID, "claims": "{"])
    },
  ]

  @Test("the token endpoint returns the expected error", arguments: tokenCases)
  func token(_ row: Case) async throws {
    let stage = Stage(directory: row.directory, app: row.app)
    let response = try await row.provoke(stage)
    #expect(response.json["error_codes"] == [.integer(Int64(row.code))], "\(response.json)")
    #expect(response.json["error"]?.string == row.error)
    #expect(response.json["suberror"]?.string == row.suberror)
    #expect(response.status == row.status)
    #expect(response.json["error_description"]?.string?.hasPrefix("AADSTS\(row.code): ") == true)
    let telemetry = HTTPField.Name("x-ms-clitelem").flatMap { response.headers[$0] }
    #expect(telemetry == "1,\(row.code),\(row.suberror ?? "0"),,")
    for member in ["timestamp", "trace_id", "correlation_id", "error_uri"] { #expect(response.json[member] != nil) }
  }

  @Test("the reference page matches the error table")
  func handbook() throws {
    let page = "Sources/authflow/authflow.docc/Reference/EmulatorErrors.md"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(ErrorTable.table, to: page) }
    #expect(String(decoding: try ProjectFiles.bytes(of: page), as: UTF8.self) == ErrorTable.table)
  }
}
