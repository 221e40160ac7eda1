import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests the details of logged requests: masked parameters, checks, and explanations.
@Suite("Request details")
struct RequestDetailsTests {
  private static func details(_ stage: Stage, _ number: Int) async throws -> JSON {
    let response = try await StartPageTests.control(stage, .get, "requests/\(number)")
    try #require(response.status == 200, "\(response.json)")
    return response.json
  }

  private static func value(_ name: String, in parts: JSON?) -> String? {
    parts?.array?.first { $0["name"]?.string == name }?["value"]?.string
  }

  private static func results(_ details: JSON) -> [String: Bool] {
    let checks = details["details"]?["checks"]?.array ?? []
    return Dictionary(checks.map { ($0["check"]?.string ?? "", $0["passed"]?.bool ?? false) }) { $0 && $1 }
  }

  @Test("a complete sign-in records each check but no secrets")
  func signIn() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let refreshed = try await stage.refresh(tokens).json
    let last = try await StartPageTests.control(stage, .get, "requests").json["last"]?.integer ?? 0
    var all = ""
    for number in 1...Int(last) { all += try await Self.details(stage, number).text() }
    let secrets = [
      "Fake-Megan-1", Stage.verifier, "st&te=1", tokens["refresh_token"]?.string, tokens["access_token"]?.string,
      tokens["id_token"]?.string, refreshed["refresh_token"]?.string,
    ].compactMap { $0 }
    #expect(secrets.count == 7)
    for secret in secrets { #expect(!all.contains(secret), "\(secret.prefix(20))") }

    let redeemed = try await Self.details(stage, Int(last) - 1)
    for check in [
      "client", "credential", "authorization code", "redirect URI", "PKCE", "first use", "account", "scopes",
    ] {
      #expect(Self.results(redeemed)[check] == true, "\(check)")
    }
    #expect(Self.value("grant_type", in: redeemed["details"]?["body"]) == "authorization_code")
    #expect(Self.value("code_verifier", in: redeemed["details"]?["body"]) == "••• (\(Stage.verifier.utf8.count) bytes)")
    #expect(Self.value("access_token", in: redeemed["details"]?["response"]?["members"])?.hasPrefix("•••") == true)
    let refresh = try await Self.details(stage, Int(last))
    #expect(Self.results(refresh)["refresh token"] == true && Self.results(refresh)["consent"] == nil)
  }

  @Test("a rejected request has a failed check and an explanation of its error code")
  func rejected() async throws {
    let randomness = Stage().randomness
    var options = IdentityPlatformEmulator.Options(controlEnabled: true, servesEveryHost: true)
    options.explain = { $0 == "AADSTS9002313" ? ErrorExplanation(meaning: "not valid", fix: "send it unchanged") : nil }
    let emulator = IdentityPlatformEmulator(clock: HandClock(), randomness: randomness, options: options)
    func send(_ method: HTTPRequest.Method, _ path: String, _ form: Parameters = [:]) async throws -> JSON {
      let request = try #require(
        RequestMessage(
          method: method, url: StartPageTests.base + path,
          headers: method == .post ? [.contentType: FormCoding.mediaType] : [:],
          body: Array(FormCoding.serialize(form).utf8)))
      return try JSON(parsing: await emulator.respond(to: request).body)
    }
    _ = try await send(
      .post, "/common/oauth2/v2.0/token",
      ["grant_type": "refresh_token", "client_id": Stage.clientID, "refresh_token": "altered-token", "scope": "openid"])
    let details = try await send(.get, "/_authflow/requests/1")
    #expect(details["explanation"] == ["meaning": "not valid", "fix": "send it unchanged"])
    #expect(Self.results(details)["error"] == false)
    #expect(!details.text().contains("altered-token"))
    #expect(Self.value("error", in: details["details"]?["response"]?["members"]) == "invalid_grant")
  }

  @Test("a fault appears as a failed check")
  func fault() async throws {
    let stage = Stage()
    try await stage.simulate([["fault": ["at": "keys", "response": "reset"]]])
    _ = try await stage.send(.get, "https://login.microsoftonline.com/common/discovery/v2.0/keys")
    let details = try await Self.details(stage, 1)
    #expect(Self.results(details)["fault"] == false)
    #expect(details["request"]?["status"] == .null)
  }

  @Test("limits the number and length of the displayed parameters")
  func bounds() async throws {
    let stage = Stage()
    var form: Parameters = ["scope": String(repeating: "é", count: 5000)]
    for number in 0..<200 { form.append(String(repeating: "n", count: 1000) + "\(number)", "value") }
    _ = try await stage.token(form)
    let details = try await Self.details(stage, 1)
    #expect(details["details"]?["body"]?.array?.count == 40)
    #expect(details.text().utf8.count < 40_000)
    #expect(try await StartPageTests.control(stage, .get, "requests/2").status == 404)
    #expect(try await StartPageTests.control(stage, .get, "requests/x").status == 404)
  }

  @Test("the query of a redirect URI is not shown")
  func redirectQuery() async throws {
    let stage = Stage()
    _ = try await stage.send(
      .get, Stage.authorizeURL(changing: ["redirect_uri": "https://app.example/cb?session=my-secret#part"]))
    let details = try await Self.details(stage, 1)
    #expect(Self.value("redirect_uri", in: details["details"]?["query"]) == "https://app.example/cb")
    #expect(Self.value("state", in: details["details"]?["query"])?.hasPrefix("•••") == true)
  }
}
