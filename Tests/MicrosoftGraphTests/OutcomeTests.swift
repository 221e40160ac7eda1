import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import RunTrace
import SimulatedWorld
import Testing

@Suite struct OutcomeTests {
  @Test(arguments: [
    (200, APICallResult.Outcome.success), (204, .success), (304, .otherStatus), (400, .otherStatus),
    (401, .unauthorized), (403, .forbidden), (404, .notFound), (409, .otherStatus), (429, .throttled),
    (500, .serviceUnavailable), (503, .serviceUnavailable), (599, .serviceUnavailable),
  ])
  func status(code: Int, outcome: APICallResult.Outcome) async throws {
    let played = try await Played.perform(
      .get("/me", retry: .none), answering: [.json("{}", status: .init(code: code))])
    #expect(played.result.outcome == outcome)
    #expect(played.result.status == code)
    #expect(played.result.attempts == 1)
  }

  @Test(arguments: [
    (TransportFailure.offline("x"), APICallResult.Outcome.offline), (.hostNotFound("x"), .offline),
    (.cannotConnect("x"), .offline), (.connectionLost("x"), .offline), (.tls("x"), .offline),
    (.timedOut("x"), .timedOut),
    (.cancelled, .timedOut),
  ])
  func failure(failure: TransportFailure, outcome: APICallResult.Outcome) async throws {
    let transport = StubTransport { _ throws(TransportFailure) in throw failure }
    let played = try await Played.perform(.get("/me"), by: transport)
    #expect(played.result.outcome == outcome)
    #expect(played.result.failure == failure)
    #expect(played.result.status == nil)
  }

  @Test func withoutTokenNothingIsSent() async throws {
    let played = try await Played.perform(.get("/me"), token: nil, answering: [.json("{}")])
    #expect(played.result.outcome == .unauthorized)
    #expect(played.requests.isEmpty)
    #expect(played.decisions == ["accessToken.none"])
  }

  @Test func theTokenIsSentAndNeverShown() async throws {
    let played = try await Played.perform(.get("/me"), answering: [.json(#"{"displayName":"Megan"}"#)])
    #expect(played.authorized == [true])
    #expect(played.result.value["displayName"] == "Megan")
    #expect(played.result.sent?.headers[.authorization] == "Bearer ‹access token #1›")
    #expect(played.result.sent?.host == "graph.microsoft.com")
  }

  @Test func aCallToAnotherHostGoesWithoutTheToken() async throws {
    let call = APICall.get("https://evil.example/v1.0/me")
    let played = try await Played.perform(call, answering: [.json("{}", status: .unauthorized)])
    #expect(played.authorized == [false])
    #expect(played.requests.first?.head.headerFields[.authorization] == nil)
    #expect(played.result.sent?.headers[.authorization] == nil)
  }

  @Test func graphErrors() async throws {
    let body = """
      {"error":{"code":"ErrorAccessDenied","message":"Access is denied.","innerError":{"date":"2025-01-01T00:00:00",
      "request-id":"r","innerError":{"code":"deeper"}}}}
      """
    let played = try await Played.perform(.get("/me/events"), answering: [.json(body, status: .forbidden)])
    #expect(
      played.result.error
        == APIError(code: "ErrorAccessDenied", message: "Access is denied.", innerCode: "deeper", requestID: "r"))
  }

  @Test func bytesAreKept() async throws {
    let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
    var headers = HTTPFields()
    headers[.contentType] = "image/jpeg"
    let played = try await Played.perform(
      .get("/me/photo/$value"), answering: [ResponseMessage(.ok, headers: headers, body: jpeg)])
    #expect(played.result.body == .bytes(jpeg, mediaType: "image/jpeg"))
    #expect(played.result.rawBody == jpeg)
    #expect(played.result.value == "/9j/4A==")
  }

  @Test(arguments: [
    ("text/plain", "12", JSON.string("12")), ("text/html", "<p>", .string("<p>")),
    ("text/plain", #"[1]"#, .array([.integer(1)])), ("application/problem+json", "[1]", .array([.integer(1)])),
    ("application/json", "not json", .string("not json")),
  ])
  func bodiesByTheirType(type: String, text: String, value: JSON) async throws {
    let played = try await Played.perform(.get("/users/$count"), answering: [.text(text, type: type)])
    #expect(played.result.value == value)
  }

  @Test(arguments: [
    #"Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize", "#
      + #"client_id="00000003-0000-0000-c000-000000000000", error="insufficient_claims", claims="CLAIMS==""#,
    #"Bearer error="insufficient_claims", claims="CLAIMS""#, #"PoP realm="a", Bearer claims="CLAIMS==""#,
  ])
  func claimsChallenge(header: String) async throws {
    let claims = "eyJhY2Nlc3NfdG9rZW4iOnsibmJmIjp7ImVzc2VudGlhbCI6dHJ1ZSwidmFsdWUiOiIxIn19fQ"
    var headers = HTTPFields()
    headers[.wwwAuthenticate] = header.replacing("CLAIMS", with: claims)
    let played = try await Played.perform(
      .get("/me"), answering: [.json("{}", status: .unauthorized, headers: headers)])
    #expect(played.result.outcome == .claimsChallenge)
    #expect(played.result.claims == #"{"access_token":{"nbf":{"essential":true,"value":"1"}}}"#)
    #expect(played.decisions == ["claimsChallenge.found"])
  }

  @Test(arguments: [
    #"Bearer realm="", authorization_uri="https://login.microsoftonline.com/common/oauth2/authorize""#,
    #"Bearer claims="!!!""#, #"Bearer claims="bm8ganNvbg==""#, #"Basic claims="e30=""#,
  ])
  func noChallenge(header: String) async throws {
    var headers = HTTPFields()
    headers[.wwwAuthenticate] = header
    let played = try await Played.perform(
      .get("/me"), answering: [.json("{}", status: .unauthorized, headers: headers)])
    #expect(played.result.outcome == .unauthorized)
    #expect(played.result.claims == nil)
  }

  @Test func whatCannotBeSentIsSaid() async throws {
    var call = APICall.get("/me")
    call.headers = [("bad name", "x")]
    let played = try await Played.perform(call, answering: [])
    #expect(played.result.outcome == .otherStatus)
    #expect(played.result.error?.code == "invalidRequest")
    #expect(played.requests.isEmpty)
  }

  @Test func batchAnswersComeInTheOrderOfTheRequests() async throws {
    let call = APICall(
      target: .graph(path: ""), batch: [BatchRequest(id: "a", url: "/me"), BatchRequest(id: "b", url: "/nobody")])
    let answer = #"{"responses":[{"id":"b","status":404,"body":{}},{"id":"a","status":200,"body":{"id":"1"}}]}"#
    let played = try await Played.perform(call, answering: [.json(answer)])
    #expect(played.result.outcome == .success)
    #expect(played.result.value["responses"]?[0]?["id"] == "a")
    #expect(played.result.value["responses"]?[1]?["status"] == 404)
  }
}
