import Documents
import Effects
import HTTPTypes
import MicrosoftGraph
import SimulatedWorld
import Testing

@Suite struct RedirectTests {
  @Test(
    "sends the token after a redirect to the same origin",
    arguments: [
      ("/v1.0/users/1", "https://graph.microsoft.com/v1.0/users/1"),
      ("users/1?x=1#f", "https://graph.microsoft.com/v1.0/users/1?x=1"),
      ("../beta/me", "https://graph.microsoft.com/beta/me"), ("?$top=1", "https://graph.microsoft.com/v1.0/me?$top=1"),
      ("//graph.microsoft.com/a", "https://graph.microsoft.com/a"),
      ("HTTPS://GRAPH.microsoft.com/a", "https://GRAPH.microsoft.com/a"),
    ])
  func sameOrigin(location: String, url: String) async throws {
    let performed = try await StubbedCall.perform(.get("/me"), answering: [.redirect(to: location), .json("{}")])
    #expect(performed.requests.last?.url == url)
    #expect(performed.authorized == [true, true])
    #expect(performed.result.outcome == .success)
  }

  @Test("omits the token and most headers after a redirect to another origin")
  func otherOrigin() async throws {
    var call = APICall.get("/me/drive/items/1/content")
    call.headers = [("X-Secret", "s"), ("Cookie", "a=b")]
    let performed = try await StubbedCall.perform(
      call, answering: [.redirect(to: "https://storage.example/file"), .text("data", type: "text/plain")])
    #expect(performed.authorized == [true, false])
    let names = performed.requests.last?.head.headerFields.map { $0.name.canonicalName }
    #expect(names == ["accept"])
    #expect(performed.result.value == "data")
  }

  @Test("does not send the token again after a redirect to another origin")
  func redirectBack() async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"),
      answering: [
        .redirect(to: "https://evil.example/"), .redirect(to: "https://graph.microsoft.com/v1.0/me/messages"),
        .json("{}"),
      ])
    #expect(performed.authorized == [true, false, false])
  }

  @Test(
    "does not follow a redirect to an unsupported URL",
    arguments: ["http://graph.microsoft.com/v1.0/me", "ftp://graph.microsoft.com/", "javascript:alert(1)", ""])
  func unsupportedURL(location: String) async throws {
    let performed = try await StubbedCall.perform(
      .get("/me"), answering: [.redirect(to: location.isEmpty ? "https://" : location), .json("{}")])
    #expect(performed.requests.count == 1)
    #expect(performed.result.outcome == .otherStatus)
    #expect(performed.result.status == 302)
    #expect(performed.decisions == ["redirect.refused"])
  }

  @Test("follows at most five redirects")
  func redirectLimit() async throws {
    let transport = StubTransport { request throws(TransportFailure) in .redirect(to: request.url + "x") }
    let performed = try await StubbedCall.perform(.get("/me"), by: transport)
    #expect(performed.requests.count == 6)
    #expect(performed.result.status == 302)
  }

  @Test("does not repeat a POST request after a redirect", arguments: [301, 302, 307, 308])
  func postRedirect(code: Int) async throws {
    let call = APICall(method: .post, target: .graph(path: "/me/sendMail"), body: .json(["a": 1]))
    let performed = try await StubbedCall.perform(
      call, answering: [.redirect(to: "/v1.0/other", status: .init(code: code)), .json("{}")])
    #expect(performed.requests.count == 1)
  }

  @Test("changes the method to GET after status 303")
  func seeOther() async throws {
    let call = APICall(method: .post, target: .graph(path: "/me/sendMail"), body: .json(["a": 1]))
    let performed = try await StubbedCall.perform(
      call, answering: [.redirect(to: "/v1.0/done", status: .seeOther), .json("{}")])
    #expect(performed.requests.last?.head.method == .get)
    #expect(performed.requests.last?.body.isEmpty == true)
    #expect(performed.requests.last?.head.headerFields[.contentType] == nil)
  }
}
