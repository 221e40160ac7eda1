import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

@Suite("Events and faults through the control interface")
struct SimulatedEventTests {
  @Test("faults trigger the configured number of times and are counted")
  func faults() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([
      ["fault": ["at": "token", "response": ["status": 503, "retryAfter": "2s"], "times": 2]],
      ["fault": ["at": "GET /v1.0/me", "response": ["status": 429, "retryAfter": "500ms"]]],
      ["fault": ["at": "graph", "response": "reset"]],
    ])
    for _ in 0..<2 {
      let response = try await stage.refresh(tokens)
      #expect(response.status == 503)
      #expect(response.json["error"] == "temporarily_unavailable")
      #expect(response.headers[.retryAfter] == "2")
    }
    #expect(try await stage.refresh(tokens).status == 200)
    let bearer = try #require(tokens["access_token"]?.string)
    let throttled = try await stage.send(
      .get, "https://graph.microsoft.com/v1.0/me?$select=id", headers: [.authorization: "Bearer \(bearer)"])
    #expect(throttled.head.status.code == 429)
    #expect(throttled.head.headerFields[.retryAfter] == "1")
    #expect(try JSON(parsing: throttled.body)["error"]?["code"] == "TooManyRequests")
    let request = try #require(RequestMessage(url: "https://graph.microsoft.com/v1.0/me"))
    let outcome = await stage.emulator.exchange(request)
    guard case .failed(.connectionLost) = outcome else {
      Issue.record("the connection should have been reset")
      return
    }
    let state = try await stage.json("https://login.microsoftonline.com/_authflow/state")
    #expect(state["faults"]?.array?.map { $0["spent"] } == [true, true, true])
    #expect(
      state["requests"] == [
        "token": 4, "authorize": 1, "graph": 2, "devicecode": 0, "discovery": 0, "keys": 0, "userinfo": 0, "logout": 0,
        "all": state["requests"]?["all"] ?? 0,
      ])
  }

  @Test("a fault with only a code takes its other values from the error table")
  func codedFault() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([
      ["fault": ["at": "token", "response": ["code": "AADSTS50076", "claims": ["access_token": [:]]]]]
    ])
    let response = try await stage.refresh(tokens)
    #expect(response.json["error"] == "invalid_grant")
    #expect(response.json["suberror"] == "basic_action")
    #expect(response.json["claims"] == #"{"access_token":{}}"#)
    try await stage.simulate([["fault": ["at": "authorize", "response": ["error": "server_error"]]]])
    let end = try await PageWalker(stage).get(Stage.authorizeURL())
    #expect(end.parameters["error"] == "server_error")
    #expect(end.parameters["state"] == "st&te=1")
  }

  @Test("faults can delay or truncate a response or return HTML")
  func changedResponses() async throws {
    let stage = Stage()
    let url = "https://login.microsoftonline.com/common/discovery/v2.0/keys"
    let fullLength = try await stage.send(.get, url).body.count
    try await stage.simulate([
      ["fault": ["at": "GET /common/discovery/v2.0/keys", "response": ["delay": "5s"]]],
      ["fault": ["at": "GET /common/discovery/v2.0/*", "response": "truncated"]],
      ["fault": ["at": "/common/discovery/v2.0/keys", "response": "html"]],
    ])
    let before = stage.clock.now
    #expect(try await stage.send(.get, url).body.count == fullLength)
    #expect(stage.clock.now - before == .seconds(5))
    #expect(try await stage.send(.get, url).head.status == .badGateway)
    #expect(try await stage.send(.get, url).head.headerFields[.contentType]?.hasPrefix("text/html") == true)
    #expect(try await stage.send(.get, url).body.count == fullLength)
  }

  @Test("only the control interface responds while the emulator is offline")
  func offline() async throws {
    let stage = Stage()
    try await stage.simulate([["offline": "1m"]])
    let request = try #require(RequestMessage(url: "https://graph.microsoft.com/v1.0/me"))
    await #expect(throws: TransportFailure.self) { try await stage.emulator.transport.send(request) }
    stage.clock.advance(by: .seconds(61))
    #expect(try await stage.emulator.transport.send(request).head.status.code == 401)
    let foreign = try #require(RequestMessage(url: "https://example.org/"))
    await #expect(
      throws: TransportFailure.hostNotFound("example.org: the emulator serves only hosts of the identity platform")
    ) {
      try await stage.emulator.transport.send(foreign)
    }
  }

  @Test("the request log contains requests and decisions but no secrets")
  func requestLog() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    _ = try await stage.refresh(tokens, scope: "Mail.Read")
    let trail = try await stage.json("https://login.microsoftonline.com/_authflow/requests")
    let last = try #require(trail["requests"]?.array?.last)
    #expect(last["url"] == "https://login.microsoftonline.com/common/oauth2/v2.0/token")
    #expect(last["status"] == 400)
    #expect(last["code"] == "AADSTS65001")
    #expect(!trail.text().contains(try #require(tokens["refresh_token"]?.string)))
  }

  @Test("events can change the emulator's clock")
  func time() async throws {
    let stage = Stage()
    try await stage.simulate([["clock": "2030-06-01T00:00:00Z"], ["wait": "1d"]])
    let response = try await stage.token(["grant_type": "x", "client_id": Stage.clientID])
    #expect(response.json["timestamp"] == "2030-06-02 00:00:00Z")
  }

  @Test("a user keeps the same account after a username change")
  func renamed() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([["usernameChanged": ["user": "megan@contoso.com", "to": "megan.new@contoso.com"]]])
    let response = try await stage.refresh(tokens)
    let claims = try UnverifiedJWT(parsing: try #require(response.json["id_token"]?.string)).claims
    #expect(claims["preferred_username"] == "megan.new@contoso.com")
    #expect(response.json["client_info"] == tokens["client_info"])
  }

  @Test("consent can be granted and revoked")
  func consent() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let subject: JSON = ["user": "megan@contoso.com", "client": .string(Stage.clientID)]
    var granted = subject
    granted["scopes"] = ["Calendars.Read"]
    try await stage.simulate([["consentGranted": granted]])
    #expect(try await stage.refresh(tokens, scope: "openid Calendars.Read").status == 200)
    try await stage.simulate([["consentRevoked": subject]])
    #expect(try await stage.refresh(tokens).json["error_codes"] == [65001])
  }

  @Test(
    "an invalid event is rejected, and no event in the list is applied",
    arguments: [
      (
        #"[{"sessionsRevoked":"megan@contoso.com"},{"passwordChanged":"unknown@contoso.com"}]"#,
        "unknown user `unknown@contoso.com`"
      ),
      (#"[{"sessionsRevoked":"megan@contoso.com"},"passwordChange"]"#, "did you mean"),
      (#"[{"sessionsRevoked":"megan@contoso.com"},"signedIn"]"#, "affects the app"),
      (#"{"sessionsRevoked":"megan@contoso.com"}"#, "must be a JSON list"),
    ])
  func rejected(body: String, text: String) async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    let response = try await stage.send(
      .post, "https://login.microsoftonline.com/_authflow/events", headers: [.contentType: "application/json"],
      body: Array(body.utf8))
    #expect(response.head.status.code == 400)
    #expect(String(decoding: response.body, as: UTF8.self).contains(text))
    #expect(try await stage.refresh(tokens).status == 200)
  }
}

@Suite("Control interface")
struct ControlTests {
  private static let root = "https://login.microsoftonline.com/_authflow/"

  @Test("faults are separate for each test")
  func isolation() async throws {
    let stage = Stage()
    let name = try #require(HTTPField.Name("x-authflow-isolation"))
    let laid = try await stage.send(
      .post, Self.root + "events", headers: [.contentType: "application/json", name: "a"],
      body: Array(#"[{"fault":{"at":"token","response":{"status":503},"times":"always"}}]"#.utf8))
    #expect(laid.head.status.code == 200)
    let form: Parameters = ["grant_type": "x", "client_id": Stage.clientID]
    #expect(try await stage.token(form).status == 400)
    #expect(try await stage.token(form, headers: [name: "b"]).status == 400)
    #expect(try await stage.token(form, headers: [name: "a"]).status == 503)
  }

  @Test("tokens issued without a sign-in are valid")
  func forge() async throws {
    let stage = Stage()
    let response = try await stage.send(
      .post, Self.root + "tokens", headers: [.contentType: "application/json"],
      body: Array(#"{"user":"alex@contoso.com","scopes":["User.Read"]}"#.utf8))
    let tokens = try JSON(parsing: response.body)
    let me = try await stage.json(
      "https://graph.microsoft.com/v1.0/me", bearer: try #require(tokens["access_token"]?.string))
    #expect(me["userPrincipalName"] == "alex@contoso.com")
    #expect(try await stage.refresh(tokens).status == 200)
  }

  @Test("a reset reverts events but keeps the registered app")
  func reset() async throws {
    let stage = Stage()
    let tokens = try await stage.signIn()
    try await stage.simulate([["userDisabled": "megan@contoso.com"], ["fault": ["at": "token", "response": "reset"]]])
    let response = try await stage.send(.post, Self.root + "reset")
    #expect(response.head.status.code == 200)
    // The consent was reset too.
    #expect(try await stage.refresh(tokens).json["error_codes"] == [65001])
    #expect(try await stage.signIn()["access_token"] != nil)
  }

  @Test("personal accounts exist only in the public cloud")
  func clouds() async throws {
    let walker = PageWalker(Stage())
    let step = try await walker.signIn(
      Stage.authorizeURL(host: "login.microsoftonline.us"), as: "pat@outlook.com")
    #expect(step.page?.screen == "username")
    #expect(step.page?.code == "AADSTS50020")
  }
}
