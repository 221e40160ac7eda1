import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing

@Suite struct RedirectTests {
  @Test(arguments: [
    ("/v1.0/users/1", "https://graph.microsoft.com/v1.0/users/1"),
    ("users/1?x=1#f", "https://graph.microsoft.com/v1.0/users/1?x=1"),
    ("../beta/me", "https://graph.microsoft.com/beta/me"), ("?$top=1", "https://graph.microsoft.com/v1.0/me?$top=1"),
    ("//graph.microsoft.com/a", "https://graph.microsoft.com/a"),
    ("HTTPS://GRAPH.microsoft.com/a", "https://GRAPH.microsoft.com/a"),
  ])
  func sameOriginKeepsTheToken(location: String, url: String) async throws {
    let played = try await Played.perform(.get("/me"), answering: [.redirect(to: location), .json("{}")])
    #expect(played.requests.last?.url == url)
    #expect(played.authorized == [true, true])
    #expect(played.result.outcome == .success)
  }

  @Test func anotherOriginGetsNeitherTokenNorHeaders() async throws {
    var call = APICall.get("/me/drive/items/1/content")
    call.headers = [("X-Secret", "s"), ("Cookie", "a=b")]
    let played = try await Played.perform(
      call, answering: [.redirect(to: "https://storage.example/file"), .text("data", type: "text/plain")])
    #expect(played.authorized == [true, false])
    let names = played.requests.last?.head.headerFields.map { $0.name.canonicalName }
    #expect(names == ["accept"])
    #expect(played.result.value == "data")
  }

  @Test func theTokenDoesNotComeBack() async throws {
    let played = try await Played.perform(
      .get("/me"),
      answering: [
        .redirect(to: "https://evil.example/"), .redirect(to: "https://graph.microsoft.com/v1.0/me/messages"),
        .json("{}"),
      ])
    #expect(played.authorized == [true, false, false])
  }

  @Test(arguments: ["http://graph.microsoft.com/v1.0/me", "ftp://graph.microsoft.com/", "javascript:alert(1)", ""])
  func whatIsNotFollowed(location: String) async throws {
    let played = try await Played.perform(
      .get("/me"), answering: [.redirect(to: location.isEmpty ? "https://" : location), .json("{}")])
    #expect(played.requests.count == 1)
    #expect(played.result.outcome == .otherStatus)
    #expect(played.result.status == 302)
    #expect(played.decisions == ["redirect.refused"])
  }

  @Test func fiveAndNoMore() async throws {
    let transport = StubTransport { request throws(TransportFailure) in .redirect(to: request.url + "x") }
    let played = try await Played.perform(.get("/me"), by: transport)
    #expect(played.requests.count == 6)
    #expect(played.result.status == 302)
  }

  @Test(arguments: [301, 302, 307, 308])
  func aPostIsNotRepeated(code: Int) async throws {
    let call = APICall(method: .post, target: .graph(path: "/me/sendMail"), body: .json(["a": 1]))
    let played = try await Played.perform(
      call, answering: [.redirect(to: "/v1.0/other", status: .init(code: code)), .json("{}")])
    #expect(played.requests.count == 1)
  }

  @Test func seeOtherTurnsIntoGet() async throws {
    let call = APICall(method: .post, target: .graph(path: "/me/sendMail"), body: .json(["a": 1]))
    let played = try await Played.perform(
      call, answering: [.redirect(to: "/v1.0/done", status: .seeOther), .json("{}")])
    #expect(played.requests.last?.head.method == .get)
    #expect(played.requests.last?.body.isEmpty == true)
    #expect(played.requests.last?.head.headerFields[.contentType] == nil)
  }
}
