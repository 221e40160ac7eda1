import Documents
import Effects
import RunTrace
import SimulatedWorld
import Synchronization
import Testing
import UserSimulation

/// Tests the page contents that a trace records.
@Suite struct PagePictureTests {
  private static let secret = "Fake-1-password"

  /// Visits a site that shows pages in order and returns the recorded pages.
  private static func pictures(_ pages: [String]) async throws -> [JSON] {
    let number = Mutex(0)
    let transport = StubTransport { _ in
      let page = number.withLock { number in
        defer { number += 1 }
        return number < pages.count ? pages[number] : nil
      }
      return page.map { .html($0) } ?? .redirect(to: StubSite.home)
    }
    let simulation = Simulation(start: Simulation.start, http: transport)
    let events = Mutex<[JSON]>([])
    let trace = TraceRecorder(clock: simulation.clock) { event in
      let json = JSON.object(event.members)
      if json["phase"] == "page" { events.withLock { $0.append(json) } }
    }
    let user = SimulatedUser(username: "megan@contoso.com", password: Secret(secret, kind: .password))
    let browser = SimulatedBrowser(
      user, http: transport, clock: simulation.clock, cookies: CookieJar(), trace: trace)
    let visit = BrowserVisit(url: StubSite.start, redirectURI: StubSite.home, purpose: .signIn)
    _ = try await simulation.run { await browser.visit(visit) }
    return events.withLock { $0 }
  }

  private static func page(_ screen: String, _ content: String, style: String = "p{}") -> String {
    """
    <html><head><meta name=authflow-screen content=\(screen)><title>Sign in</title><style>\(style)</style></head>
    <body><form method=post action="/login?token=abcdefghijklmnopqrstuvwxyz0123">\(content)</form></body></html>
    """
  }

  @Test("records each page with the user's input, and each style sheet only once")
  func recordsPages() async throws {
    let name = Self.page("username", "<label for=u>Email</label><input id=u name=loginfmt><button>Next</button>")
    let password = Self.page(
      "password",
      "<label for=p>Password</label><input id=p type=password name=passwd><button name=go value=1>Sign in</button>")
    let pages = try await Self.pictures([name, password])
    try #require(pages.count == 2)
    #expect(pages.map { $0["screen"] } == ["username", "password"])
    #expect(pages.map { $0["style"] } == ["p{}", nil])
    #expect(pages[0]["entered"] == [["label": "Email", "value": "megan@contoso.com"]])
    #expect(pages[0]["pressed"] == "Next")
    #expect(pages[0]["markup"]?.string?.contains("value=\"megan@contoso.com\"") == true)
    #expect(pages[1]["entered"] == [["label": "Password", "value": "‹password #1›"]])
    #expect(pages[1]["markup"]?.string?.contains("value=\"••••••••\"") == true)
    #expect(pages[1]["markup"]?.string?.contains("<button name=\"go\" value=\"1\" data-pressed>") == true)
    #expect(!pages.map { $0.text() }.joined().contains(Self.secret))
  }

  @Test("omits scripts, addresses, and the styles of other providers")
  func omitsActiveContent() async throws {
    let page = """
      <html><head><title>Other</title><style>p{}</style><meta http-equiv=refresh content="9;url=https://evil.example"></head>
      <body onload=x()><script>x()</script><a href="https://evil.example">link</a><iframe src="https://evil.example"></iframe>
      <form action="https://id.example/x"><input name=username><input type=password name=pw><button>Log in</button></form></body></html>
      """
    let pages = try await Self.pictures([page])
    try #require(pages.count == 1)
    let markup = try #require(pages[0]["markup"]?.string)
    for text in ["evil", "script", "onload", "iframe", "refresh", "action"] {
      #expect(!markup.contains(text), "\(markup)")
    }
    #expect(pages[0]["style"] == nil)
  }

  @Test("truncates large pages")
  func truncates() async throws {
    let page = Self.page("username", String(repeating: "<p>many words </p>", count: 20_000) + "<input name=loginfmt>")
    let markup = try #require(try await Self.pictures([page]).first?["markup"]?.string)
    #expect(markup.utf8.count < 50 << 10)
  }
}
