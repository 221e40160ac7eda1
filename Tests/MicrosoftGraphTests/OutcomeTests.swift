import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import RunTrace
import SimulatedWorld
import Testing
import Trust

@Suite struct OutcomeTests {
  @Test(
    "maps the status code to an outcome",
    arguments: [
      (200, APICallResult.Outcome.success), (204, .success), (304, .otherStatus), (400, .otherStatus),
      (401, .unauthorized), (403, .forbidden), (404, .notFound), (409, .otherStatus), (429, .throttled),
      (500, .serviceUnavailable), (503, .serviceUnavailable), (599, .serviceUnavailable),
    ])
  func status(code: Int, outcome: APICallResult.Outcome) async throws {
    let performed = try await StubbedCall.perform(
      .get("/me", retry: .none), answering: [.json("{}", status: .init(code: code))])
    #expect(performed.result.outcome == outcome)
    #expect(performed.result.status == code)
    #expect(performed.result.attempts == 1)
  }

  @Test("an anonymous call does not send a token")
  func anonymous() async throws {
    var call = APICall(target: .url("https://login.example/token"))
    call.isAnonymous = true
    let destination = "https://login.example"
    let performed = try await StubbedCall.perform(
      call, endpoint: destination, by: StubTransport(answering: [.json("{}")]), for: .api)
    #expect(performed.result.outcome == .success)
    #expect(performed.requests.count == 1)
    #expect(performed.requests.allSatisfy { $0.head.headerFields[.authorization] == nil })
    let refused = try await StubbedCall.perform(
      call, token: nil, endpoint: destination, by: StubTransport(answering: []), for: .api,
      destinations: .network(issuer: "https://login.microsoftonline.com/common", grants: Grants()))
    #expect(refused.result.error?.code == "untrustedHost", "\(refused.result)")
  }

  @Test(
    "maps a transport failure to an outcome",
    arguments: [
      (TransportFailure.offline("x"), APICallResult.Outcome.offline), (.hostNotFound("x"), .offline),
      (.cannotConnect("x"), .offline), (.connectionLost("x"), .offline), (.tls("x"), .offline),
      (.timedOut("x"), .timedOut),
      (.canceled, .timedOut),
    ])
  func failure(failure: TransportFailure, outcome: APICallResult.Outcome) async throws {
    let transport = StubTransport { _ throws(TransportFailure) in throw failure }
    let performed = try await StubbedCall.perform(.get("/me"), by: transport)
    #expect(performed.result.outcome == outcome)
    #expect(performed.result.failure == failure)
    #expect(performed.result.status == nil)
  }

  @Test("does not send a request without a token")
  func missingToken() async throws {
    let performed = try await StubbedCall.perform(.get("/me"), token: nil, answering: [.json("{}")])
    #expect(performed.result.outcome == .unauthorized)
    #expect(performed.requests.isEmpty)
    #expect(performed.decisions == ["accessToken.none"])
  }

  @Test("sends the token and masks it in results and traces")
  func maskedToken() async throws {
    let performed = try await StubbedCall.perform(.get("/me"), answering: [.json(#"{"displayName":"Megan"}"#)])
    #expect(performed.authorized == [true])
    #expect(performed.result.value["displayName"] == "Megan")
    #expect(performed.result.sent?.headers[.authorization] == "Bearer ‹access token #1›")
    #expect(performed.result.sent?.host == "graph.microsoft.com")
  }

  @Test("does not send the token to another host")
  func otherHost() async throws {
    let call = APICall.get("https://evil.example/v1.0/me")
    let performed = try await StubbedCall.perform(call, answering: [.json("{}", status: .unauthorized)])
    #expect(performed.authorized == [false])
    #expect(performed.requests.first?.head.headerFields[.authorization] == nil)
    #expect(performed.result.sent?.headers[.authorization] == nil)
  }

  @Test("parses Graph and OAuth errors")
  func graphErrors() async throws {
    let body = """
      {"error":{"code":"ErrorAccessDenied","message":"Access is denied.","innerError":{"date":"2025-01-01T00:00:00",
      "request-id":"r","innerError":{"code":"deeper"}}}}
      """
    let performed = try await StubbedCall.perform(.get("/me/events"), answering: [.json(body, status: .forbidden)])
    #expect(
      performed.result.error
        == APIError(code: "ErrorAccessDenied", message: "Access is denied.", innerCode: "deeper", requestID: "r"))
  }

  @Test("returns binary bodies unchanged")
  func binaryBody() async throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    var headers = HTTPFields()
    headers[.contentType] = "image/jpeg"
    let performed = try await StubbedCall.perform(
      .get("/me/photo/$value"), answering: [ResponseMessage(.ok, headers: headers, body: jpeg)])
    #expect(performed.result.body == .bytes(jpeg, mediaType: "image/jpeg"))
    #expect(performed.result.rawBody == jpeg)
    #expect(performed.result.value == "/9j/4A==")
  }

  @Test(
    "interprets a body according to its content type",
    arguments: [
      ("text/plain", "12", JSON.string("12")), ("text/html", "<p>", .string("<p>")),
      ("text/plain", #"[1]"#, .array([.integer(1)])), ("application/problem+json", "[1]", .array([.integer(1)])),
      ("application/json", "not json", .string("not json")),
    ])
  func contentTypes(type: String, text: String, value: JSON) async throws {
    let performed = try await StubbedCall.perform(.get("/users/$count"), answering: [.text(text, type: type)])
    #expect(performed.result.value == value)
  }

  @Test(
    "detects a claims challenge",
    arguments: [
      #"Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", "#
        + #"client_id="00000003-0000-0000-c000-000000000000", error="insufficient_claims", claims="CLAIMS==""#,
      #"Bearer error="insufficient_claims", claims="CLAIMS""#, #"PoP realm="a", Bearer claims="CLAIMS==""#,
    ])
  func claimsChallenge(header: String) async throws {
    let claims = "eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2VudGlhbCI6dHJ1ZSwidmFsdWUiOiIxIn19fQ"
    var headers = HTTPFields()
    headers[.wwwAuthenticate] = header.replacing("CLAIMS", with: claims)
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: [.json("{}", status: .unauthorized, headers: headers)])
    #expect(performed.result.outcome == .claimsChallenge)
    #expect(performed.result.claims == #"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#)
    #expect(performed.decisions == ["claimsChallenge.found"])
  }

  @Test(
    "ignores a header without valid claims",
    arguments: [
      #"Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize""#,
      #"Bearer claims="!!!""#, #"Bearer claims="bm8ganNvbg==""#, #"Basic claims="e30=""#,
    ])
  func noChallenge(header: String) async throws {
    var headers = HTTPFields()
    headers[.wwwAuthenticate] = header
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: [.json("{}", status: .unauthorized, headers: headers)])
    #expect(performed.result.outcome == .unauthorized)
    #expect(performed.result.claims == nil)
  }

  @Test("reports an invalid call")
  func invalidCall() async throws {
    var call = APICall.get("/me")
    call.headers = [("bad name", "x")]
    let performed = try await StubbedCall.perform(call, answering: [])
    #expect(performed.result.outcome == .otherStatus)
    #expect(performed.result.error?.code == "invalidRequest")
    #expect(performed.requests.isEmpty)
  }

  @Test("returns batch responses in request order")
  func batchOrder() async throws {
    let call = APICall(
      target: .graph(path: ""), batch: [BatchRequest(id: "a", url: "/me"), BatchRequest(id: "b", url: "/nobody")])
    let response = #"{"responses":[{"id":"b","status":404,"body":{}},{"id":"a","status":200,"body":{"id":"1"}}]}"#
    let performed = try await StubbedCall.perform(call, answering: [.json(response)])
    #expect(performed.result.outcome == .success)
    #expect(performed.result.value["responses"]?[0]?["id"] == "a")
    #expect(performed.result.value["responses"]?[1]?["status"] == 404)
  }
}
