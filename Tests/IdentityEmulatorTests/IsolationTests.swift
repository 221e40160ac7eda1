import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Isolation of parallel tests, and the request log")
struct IsolationTests {
  private static let root = "https://login.microsoftonline.com/_authflow/"
  private static let json: HTTPFields = [.contentType: "application/json"]

  /// The ways to assign a request to a test.
  enum Assignment: String, Sendable, CaseIterable {
    case header, host, client
  }

  private static func control(
    _ stage: Stage, _ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil, status: Int = 200
  ) async throws -> JSON {
    let response = try await stage.send(
      method, root + path, headers: body == nil ? [:] : json, body: body.map { Array($0.text().utf8) } ?? [])
    #expect(response.head.status.code == status, "\(String(decoding: response.body, as: UTF8.self))")
    return try JSON(parsing: response.body)
  }

  @Test("faults, counts, and log entries are separate for each test", arguments: Assignment.allCases)
  func separate(method: Assignment) async throws {
    let stage = Stage(servesEveryHost: true)
    let other = "a0a0a0a0-0000-4000-8000-000000000001"
    stage.emulator.register(app: RegisteredApp(appId: other, publicRedirectUris: ["http://localhost"]))
    if method == .client {
      _ = try await Self.control(stage, .put, "isolations/mine", ["clients": [.string(other.uppercased())]])
    }
    _ = try await Self.control(
      stage, .post, "faults?isolation=mine", [["at": "token", "response": ["status": 503], "times": "always"]])
    func send(isMine: Bool) async throws -> Int {
      var headers: HTTPFields = [.contentType: FormCoding.mediaType]
      if method == .header, isMine { headers[try #require(HTTPField.Name("x-authflow-isolation"))] = "mine" }
      let host = method == .host && isMine ? "mine.localhost:8400" : "localhost:8400"
      let form: Parameters = [
        "grant_type": "refresh_token", "refresh_token": "x", "scope": "openid",
        "client_id": method == .client && isMine ? other : Stage.clientID,
      ]
      return try await stage.send(
        .post, "http://\(host)/common/oauth2/v2.0/token", headers: headers, body: Array(FormCoding.serialize(form).utf8)
      ).head.status.code
    }
    #expect(try await send(isMine: true) == 503)
    #expect(try await send(isMine: false) == 400)
    #expect(try await send(isMine: false) == 400)
    let mine = try await Self.control(stage, .get, "state?isolation=mine")
    #expect(mine["requests"]?["token"] == 1 && mine["faults"]?.array?.first?["fired"] == 1)
    let all = try await Self.control(stage, .get, "state")
    #expect(all["requests"]?["token"] == 3)
    let log = try await Self.control(stage, .get, "requests?isolation=mine")
    #expect(log["requests"]?.array?.map { $0["number"]?.integer } == [1])
    // Resetting a test does not affect other tests.
    _ = try await Self.control(stage, .post, "reset?isolation=mine")
    #expect(try await send(isMine: true) == 400)
    #expect(try await Self.control(stage, .get, "state?isolation=mine")["requests"]?["all"] == 1)
    #expect(try await Self.control(stage, .get, "state")["requests"]?["all"] == 4)
    #expect(try await Self.control(stage, .get, "requests")["requests"]?.array?.count == 3)
  }

  @Test("an app's sign-in pages and Graph requests belong to its test")
  func signInRequests() async throws {
    let stage = Stage()
    _ = try await Self.control(stage, .put, "isolations/mine", ["clients": [.string(Stage.clientID)]])
    let tokens = try await stage.signIn()
    _ = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(tokens["access_token"]?.string))
    let log = try await Self.control(stage, .get, "requests?isolation=mine")
    let decisions = try #require(log["requests"]?.array).map { $0["decision"]?.string }
    #expect(
      decisions == [
        "showed page username", "showed page password", "showed page consent", "issued code",
        "issued tokens", "responded",
      ])
    let last = try #require(log["requests"]?.array?.dropLast().last)
    #expect(last["user"] == "megan@contoso.com" && last["client"]?.string == Stage.clientID)
    #expect(last["grant"] == "authorization_code")
    let graph = try #require(log["requests"]?.array?.last)
    #expect(graph["user"] == "megan@contoso.com" && graph["client"]?.string == Stage.clientID)
    #expect(graph["scopes"]?.string?.contains("User.Read") == true)
    // The log contains no secrets.
    for secret in ["access_token", "refresh_token", "id_token"].compactMap({ tokens[$0]?.string }) {
      #expect(!log.text().contains(secret.suffix(40)))
    }
    #expect(!log.text().contains("Fake-Megan-1") && !log.text().contains(Stage.verifier))
  }

  @Test("the request log contains the policy that applied")
  func policy() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    _ = try await Self.control(stage, .post, "policies", [["name": "Second factor", "require": "mfa"]])
    _ = try await stage.refresh(tokens)
    let last = try #require(try await Self.control(stage, .get, "requests")["requests"]?.array?.last)
    #expect(last["policy"] == "Second factor" && last["decision"] == "rejected" && last["user"] == "megan@contoso.com")
    #expect(last["code"] == "AADSTS50079" && last["reason"]?.string?.isEmpty == false)
  }

  @Test("waiting for new requests ends after a request or the timeout")
  func wait() async throws {
    let stage = Stage()
    let none = try await Self.control(stage, .get, "requests?after=0&wait=2s")
    #expect(none["requests"] == [])
    #expect(stage.clock.now >= Instant(secondsSince1970: 1_735_689_602))
    _ = try await stage.json("https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration")
    #expect(try await Self.control(stage, .get, "requests?after=0&wait=2s")["last"] == 1)
    #expect(try await Self.control(stage, .get, "requests?after=x", status: 400)["problems"] != nil)
  }

  // MARK: Access control

  @Test(
    "access depends on host and browser headers",
    arguments: [
      ("http://localhost:8400", [:], 200), ("http://127.0.0.1:8400", [:], 200), ("http://[::1]:8400", [:], 200),
      ("http://t1.localhost:8400", [:], 200), ("http://emulator:8400", [:], 200), ("http://10.0.0.7", [:], 200),
      ("http://host.docker.internal:8400", [:], 200), ("https://login.microsoftonline.com", [:], 200),
      ("http://localhost:8400", ["sec-fetch-site": "none"], 200),
      ("http://localhost:8400", ["sec-fetch-site": "same-origin"], 403),
      ("http://localhost:8400", ["sec-fetch-site": "same-site"], 403),
      ("http://localhost:8400", ["sec-fetch-site": "cross-site"], 403),
      ("http://localhost:8400", ["origin": "http://localhost:8400"], 403),
      ("http://localhost:8400", ["origin": "null"], 403), ("http://evil.example:8400", [:], 403),
      ("http://localhost.evil.example", [:], 403), ("http://127.0.0.1.evil.example", [:], 403),
      ("http://7.evil.example", [:], 403), ("http://login.microsoftonline.com.evil.example", [:], 403),
    ] as [(String, [String: String], Int)])
  func gate(base: String, headers: [String: String], status: Int) async throws {
    let stage = Stage(servesEveryHost: true)
    var fields: HTTPFields = [:]
    for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
    let response = try await stage.send(.get, base + "/_authflow/state", headers: fields)
    #expect(response.head.status.code == status)
    #expect(response.head.headerFields[.accessControlAllowOrigin] == nil)
    let preflight = try await stage.send(.options, base + "/_authflow/events", headers: fields)
    #expect(preflight.head.status.code >= 400 && preflight.head.headerFields[.accessControlAllowOrigin] == nil)
  }

  @Test(
    "rejects bodies with content types that HTML forms can send",
    arguments: [
      "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx", "",
      "text/plain; application/json",
    ])
  func contentType(type: String) async throws {
    let stage = Stage()
    let response = try await stage.send(
      .post, Self.root + "events", headers: type.isEmpty ? [:] : [.contentType: type],
      body: Array(#"[{"userDisabled":"megan@contoso.com"}]"#.utf8))
    #expect(response.head.status.code == 400)
    #expect(try await stage.signIn()["access_token"] != nil)
  }

  @Test("the error for an unknown request lists the supported requests")
  func unknown() async throws {
    let stage = Stage()
    let lost = try await Self.control(stage, .get, "stat", status: 404)
    #expect(lost["problems"]?.array?.contains { $0.string?.hasPrefix("`GET /_authflow/state`: ") == true } == true)
    let method = try await Self.control(stage, .get, "tokens", status: 405)
    #expect(method["problems"]?.array?.first?.string?.contains("supports POST") == true)
  }

  @Test(
    "the error for a former path contains the current path",
    arguments: [("happenings", "events"), ("misbehaviours", "misbehaviors")])
  func formerPath(former: String, current: String) async throws {
    let response = try await Self.control(Stage(), .get, former, status: 404)
    #expect(response["problems"] == [.string("`/_authflow/\(former)` was renamed to `/_authflow/\(current)`")])
  }

  // MARK: Forged tokens

  @Test(
    "issues tokens that the live service would not issue",
    arguments: [
      #"{"accessToken": {"expired": true}}"#, #"{"accessToken": {"notYetValid": true}}"#,
      #"{"accessToken": {"audience": "api://other"}}"#, #"{"accessToken": {"badSignature": true}}"#,
      #"{"accessToken": {"claims": {"scp": "openid"}}}"#,
    ])
  func forged(change: String) async throws {
    for user in ["megan@contoso.com", "pat@outlook.com"] {
      let stage = Stage()
      let tokens = try await Self.control(
        stage, .post, "tokens", ["user": .string(user), "change": try JSON(parsing: Array(change.utf8))])
      let response = try await stage.send(
        .get, "https://graph.microsoft.com/v1.0/me",
        headers: [.authorization: "Bearer \(tokens["access_token"]?.string ?? "")"])
      #expect(response.head.status.code == (change.contains("scp") ? 403 : 401), "\(user) \(change)")
      #expect(try await stage.refresh(tokens).status == 200)
    }
  }

  @Test("refresh tokens for an app with only single-page redirect URIs expire after a day")
  func singlePage() async throws {
    let id = "a99a99a9-0000-4000-8000-000000000009"
    let stage = Stage()
    _ = try await Self.control(
      stage, .post, "apps", [["appId": .string(id), "spa": ["redirectUris": ["https://shop.example/"]]]])
    let tokens = try await Self.control(stage, .post, "tokens", ["client": .string(id)])
    _ = try await Self.control(stage, .post, "clock", ["advance": "25h"])
    let body =
      "grant_type=refresh_token&client_id=\(id)&scope=User.Read&refresh_token=\(tokens["refresh_token"]?.string ?? "")"
    let response = try await stage.send(
      .post, "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      headers: [
        .contentType: "application/x-www-form-urlencoded", .origin: "https://shop.example",
      ], body: Array(body.utf8))
    #expect(try JSON(parsing: response.body)["error_codes"] == [700_084])
  }

  @Test(
    "changed refresh tokens are rejected, and changed ID tokens have valid signatures",
    arguments: ["expired", "badSignature"])
  func refresh(change: String) async throws {
    let stage = Stage()
    let tokens = try await Self.control(
      stage, .post, "tokens",
      ["change": ["refreshToken": [change: true], "idToken": ["claims": ["roles": ["R"], "name": .null]]]])
    let response = try await stage.refresh(tokens)
    #expect(
      response.status == 400 && response.json["error_codes"] == (change == "expired" ? [700_082] : [9_002_313]),
      "\(response.json)")
    let token = try UnverifiedJWT(parsing: try #require(tokens["id_token"]?.string))
    #expect(token.claims["roles"] == ["R"] && token.claims["name"] == nil)
    let keys = try await stage.json("https://login.microsoftonline.com/common/discovery/v2.0/keys")
    _ = try #require(JWKSet(keys)).verify(token)
    _ = try await Self.control(stage, .post, "tokens", ["change": ["idToken": ["expird": true]]], status: 400)
  }
}
