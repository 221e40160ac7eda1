import Effects
import HTTPTypes
import SimulatedWorld
import Testing

@Suite("Redirects and the redirect URI")
struct RedirectTests {
  @Test(
    "a redirect keeps the method and body or changes the request to GET, depending on its status",
    arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
  func methods(_ status: Int, _ method: String) async throws {
    let visited = try await StubSite.visit { request in
      switch request.head.path {
      case "/start": .html(StubSite.form("<input name=login>"))
      case "/next": .redirect(to: "/after", status: .init(code: status))
      default: .redirect(to: StubSite.home)
      }
    }
    #expect(visited.urls.last == "https://id.example/after")
    #expect(visited.requests.last?.head.method.rawValue == method)
    #expect(visited.sent == (method == "POST" ? "login=megan%40contoso.com" : ""))
    #expect(visited.redirect == StubSite.home)
  }

  @Test(
    "returns a navigation to the redirect URI without opening it",
    arguments: [
      ("app://done", "app://done?code=1&state=2"), ("app://done", "APP://DONE#code=1"),
      ("msauth.com.contoso.app://auth", "msauth.com.contoso.app://auth?code=1"),
      ("https://app.example/cb", "https://app.example/cb?code=1"),
      ("http://localhost:4711", "http://localhost:4711/?code=1"),
      ("urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob?code=1"),
    ])
  func redirectURI(_ redirectURI: String, _ location: String) async throws {
    let visited = try await StubSite.visit(redirectURI: redirectURI) { _ in .redirect(to: location) }
    #expect(visited.redirect == location)
    #expect(visited.requests.count == 1)
  }

  @Test(
    "opens a URL that only resembles the redirect URI",
    arguments: [
      ("https://app.example/cb", "https://app.example/cb/more"), ("https://app.example/cb", "https://app.example/CB"),
      ("http://localhost:4711/", "http://localhost:4712/"), ("http://app.example/cb", "https://app.example/cb"),
      ("https://app.example/cb", "https://app.example.evil.example/cb"),
    ])
  func similarURL(_ redirectURI: String, _ location: String) async throws {
    let visited = try await StubSite.visit(redirectURI: redirectURI) { request in
      request.url == StubSite.start ? .redirect(to: location) : .html("<p>Nothing here</p>")
    }
    #expect(visited.redirect == nil)
    #expect(visited.urls.last == location)
  }

  @Test("the start URL can be the redirect URI")
  func startURL() async throws {
    let visited = try await StubSite.visit("app://done?error=x") { _ in .html("") }
    #expect(visited.redirect == "app://done?error=x")
    #expect(visited.requests.isEmpty)
  }

  @Test("adds the parameters of a form posted to the redirect URI to the URI's query")
  func formPost() async throws {
    let page = """
      <body onload="document.forms[0].submit()"><form method="post" action="https://app.example/cb?x=1">
      <input type="hidden" name="code" value="a b&amp;c"><input type="hidden" name="state" value="é">
      <noscript><button>Continue</button></noscript></form></body>
      """
    let visited = try await StubSite.visit(redirectURI: "https://app.example/cb") { _ in .html(page) }
    #expect(visited.redirect == "https://app.example/cb?x=1&code=a+b%26c&state=%C3%A9")
    #expect(visited.requests.count == 1)
    #expect(visited.outcome.screens.isEmpty)
  }

  @Test(
    "follows `meta refresh` after its delay",
    arguments: [
      ("0;url=/after", 0), ("3; URL='/after'", 3), ("2;url=\"/after\"", 2),
    ])
  func refresh(_ content: String, _ seconds: Int) async throws {
    let visited = try await StubSite.visit { request in
      request.head.path == "/after"
        ? .redirect(to: StubSite.home)
        : .html("<meta http-equiv=refresh content='\(content.replacing("'", with: "&#39;"))'>")
    }
    #expect(visited.urls.last == "https://id.example/after")
    #expect(visited.redirect == StubSite.home)
    #expect(visited.elapsed == .seconds(seconds))
  }

  @Test("a redirect loop fails")
  func redirectLoop() async throws {
    let visited = try await StubSite.visit { _ in .redirect(to: "/start") }
    guard case .failed(.badResponse) = visited.outcome.result else {
      Issue.record("unexpected result: \(visited.outcome.result)")
      return
    }
    #expect(visited.requests.count < 50)
  }

  @Test("stops after forty pages")
  func endless() async throws {
    let visited = try await StubSite.visit { request in
      let number = Int(request.head.path?.dropFirst(2) ?? "") ?? 0
      return .html("<a href=/p\(number + 1)>Continue</a>")
    }
    #expect(visited.requests.count == 40)
    #expect(visited.reason != nil)
  }

  @Test("rejects a page that exceeds the size limit")
  func tooLarge() async throws {
    let page = String(repeating: "x", count: 5 << 20)
    let visited = try await StubSite.visit { _ in .html(page) }
    guard case .failed(.badResponse) = visited.outcome.result else {
      Issue.record("unexpected result: \(visited.outcome.result)")
      return
    }
  }

  @Test("returns network failures unchanged")
  func offline() async throws {
    let visited = try await StubSite.visit { _ in throw TransportFailure.hostNotFound("id.example") }
    #expect(visited.outcome.result == .failed(.hostNotFound("id.example")))
  }
}
