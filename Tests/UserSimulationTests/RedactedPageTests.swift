import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

/// Tests that a saved page shows why the simulated user could not complete it, but does not contain secrets.
@Suite struct RedactedPageTests {
  private final class PageLog: Sendable {
    private let pages = Mutex<[String]>([])
    var saved: [String] { pages.withLock { $0 } }
    func save(_ page: String) -> String? {
      pages.withLock { $0.append(page) }
      return "the page is in page.html"
    }
  }

  /// Visits a page that the user cannot complete and returns the saved page.
  private static func redacted(
    _ page: String, at url: String = StubSite.start, as user: SimulatedUser = StubSite.megan()
  ) async throws -> (page: String, reason: String) {
    let transport = StubTransport { _ in .html(page) }
    let simulation = Simulation(http: transport)
    let log = PageLog()
    let browser = SimulatedBrowser(
      user, http: transport, clock: simulation.clock, cookies: CookieJar(), keep: log.save)
    let visit = BrowserVisit(url: url, redirectURI: StubSite.home, purpose: .signIn)
    let outcome = try await simulation.run { await browser.visit(visit) }
    guard case .closed(let reason) = outcome.result else { throw Unexpected(outcome: outcome) }
    return (try #require(log.saved.first), reason)
  }

  private struct Unexpected: Error { var outcome: BrowserOutcome }

  @Test func theReasonContainsTheLocationOfTheSavedFile() async throws {
    let (_, reason) = try await Self.redacted("<title>Sign in</title><script>start()</script><div id=root></div>")
    #expect(
      reason
        == "the page at id.example requires JavaScript, which the simulated user does not support; the page is in page.html"
    )
  }

  @Test func keepsTheStructureOfAPage() async throws {
    let (redacted, _) = try await Self.redacted(
      """
      <html lang=en><head><meta name=authflow-screen content=username><title>Sign in &amp; go</title><meta http-equiv=refresh content="900; url=/late?x=1"></head>
      <body class="dark wide"><!-- comment --><div id="i0116" role="main"><p>Enter the code & go</p>
      <a href="/help?topic=codes#top">Help</a><button type=button value=Go disabled>Press</button></div>
      <script src="https://cdn.example/app.js?v=3">start()</script></body></html>
      """)
    for text in [
      "<html lang=\"en\">", "<title>Sign in &amp; go</title>", "<body class=\"dark wide\">",
      "<div id=\"i0116\" role=\"main\">", "<p>Enter the code &amp; go</p>", "<a href=\"/help?topic=…#…\">Help</a>",
      "<button type=\"button\" value=\"Go\" disabled", ">Press</button>",
      "<meta data-http-equiv=\"refresh\" content=\"900; url=/late?x=…\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'\">",
      "<script src=\"https://cdn.example/app.js?v=…\">/* 7 bytes */</script>", "https://id.example/start",
    ] { #expect(redacted.contains(text), "\(text) in \(redacted)") }
  }

  @Test func removesSecrets() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"
    let (redacted, _) = try await Self.redacted(
      """
      <body data-state="\(token)" onload="go('\(token)')"><!-- \(token) --><style>a{b:url(\(token))}</style>
      <form action="/next/AQABAAEAAAD--DLA3VO7QrddgJg7Wevr?sid=Fake-Session"><input type=hidden name=flowToken value="Fake-Flow">
      <input name=extra required value=""><textarea>Fake-Area</textarea><select><option value="Fake-Option">one</select></form>
      <meta name=token content="Fake-Meta"><img src="data:image/png;base64,Fake+Data"><a href="javascript:go('Fake-Script')">x</a>
      <iframe src="https://megan:Fake-User@id.example/a?code=Fake-Code&flag"></iframe>
      <p>Welcome Fake-1, your token is \(token)</p><script>var secret = "Fake-Inline"</script><svg><text>\(token)</text></svg>
      </body>
      """, at: StubSite.start + "?state=Fake-State&nonce=Fake-Nonce#Fake-Fragment")
    for part in ["Fake-", "eyJ", "AQABAAE", "Wevr"] { #expect(!redacted.contains(part), "\(part) in \(redacted)") }
    for text in ["name=\"flowToken\" value=\"…\"", "?sid=…", "code=…&amp;flag", "Welcome …, your token is"] {
      #expect(redacted.contains(text), "\(text) in \(redacted)")
    }
  }

  @Test func truncatesLongPages() async throws {
    let (redacted, _) = try await Self.redacted("<body>" + String(repeating: "<p>word</p>", count: 100_000))
    #expect(redacted.utf8.count < 300_000 && redacted.contains("<!-- truncated -->"))
  }

  @Test func escapesTextFromThePage() async throws {
    let (redacted, _) = try await Self.redacted(
      "<p title='\"><script>x()</script>'>&lt;script&gt;</p><x:y>a</x:y>", at: StubSite.start + "/--%3E<script>")
    #expect(!redacted.contains("<script"), "\(redacted)")
  }

  @Test(arguments: [
    ("<title>Sign in</title><p role=alert>Account locked</p><meta name=authflow-code content=AADSTS50053>", true),
    ("<form method=post action=/x><input type=password name=p><button>Sign in</button></form>", false),
  ]) func doesNotSavePagesThatTheUserUnderstands(page: String, isError: Bool) async throws {
    let log = PageLog()
    let transport = StubTransport { _ in .html(page) }
    let simulation = Simulation(http: transport)
    let browser = SimulatedBrowser(
      StubSite.megan { $0.cancels = isError ? .never : .atOnce }, http: transport, clock: simulation.clock,
      cookies: CookieJar(), keep: log.save)
    let visit = BrowserVisit(url: StubSite.start, redirectURI: StubSite.home, purpose: .signIn)
    _ = try await simulation.run { await browser.visit(visit) }
    #expect(log.saved.isEmpty)
  }
}
