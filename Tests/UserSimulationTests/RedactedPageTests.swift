import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

/// Pages that a simulated user gave up at, kept for study.
@Suite struct RedactedPageTests {
  private final class Keeper: Sendable {
    private let pages = Mutex<[String]>([])
    var kept: [String] { pages.withLock { $0 } }
    func keep(_ page: String) -> String? {
      pages.withLock { $0.append(page) }
      return "the page is in page.html"
    }
  }

  /// Visits one page, at which the user gives up.
  private static func sketch(
    _ page: String, at url: String = PlayedSite.start, as user: SimulatedUser = PlayedSite.megan()
  ) async throws -> (sketch: String, reason: String) {
    let transport = StubTransport { _ in .html(page) }
    let simulation = Simulation(http: transport)
    let keeper = Keeper()
    let browser = SimulatedBrowser(
      user, http: transport, clock: simulation.clock, cookies: CookieJar(), keep: keeper.keep)
    let visit = BrowserVisit(url: url, redirectURI: PlayedSite.home, purpose: .signIn)
    let outcome = try await simulation.run { await browser.visit(visit) }
    guard case .closed(let reason) = outcome.ending else { throw Unexpected(outcome: outcome) }
    return (try #require(keeper.kept.first), reason)
  }

  private struct Unexpected: Error { var outcome: BrowserOutcome }

  @Test func theUserSaysWhereThePageIs() async throws {
    let (_, reason) = try await Self.sketch("<title>Sign in</title><script>start()</script><div id=root></div>")
    #expect(
      reason
        == "the page at id.example needs JavaScript, which a simulated user does not have; the page is in page.html"
    )
  }

  @Test func whatAPageIsMadeOfStays() async throws {
    let (sketch, _) = try await Self.sketch(
      """
      <html lang=en><head><meta name=authflow-screen content=username><title>Sign in &amp; go</title><meta http-equiv=refresh content="900; url=/late?x=1"></head>
      <body class="dark wide"><!-- comment --><div id="i0116" role="main"><p>Enter the code & go</p>
      <a href="/help?topic=codes#top">Help</a><button type=button value=Go disabled>Press</button></div>
      <script src="https://cdn.example/app.js?v=3">start()</script></body></html>
      """)
    for words in [
      "<html lang=\"en\">", "<title>Sign in &amp; go</title>", "<body class=\"dark wide\">",
      "<div id=\"i0116\" role=\"main\">", "<p>Enter the code &amp; go</p>", "<a href=\"/help?topic=…#…\">Help</a>",
      "<button type=\"button\" value=\"Go\" disabled", ">Press</button>",
      "<meta data-http-equiv=\"refresh\" content=\"900; url=/late?x=…\">",
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; form-action 'none'\">",
      "<script src=\"https://cdn.example/app.js?v=…\">/* 7 bytes */</script>", "https://id.example/start",
    ] { #expect(sketch.contains(words), "\(words) in \(sketch)") }
  }

  @Test func noSecretStays() async throws {
    let token = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl"
    let (sketch, _) = try await Self.sketch(
      """
      <body data-state="\(token)" onload="go('\(token)')"><!-- \(token) --><style>a{b:url(\(token))}</style>
      <form action="/next/AQABAAEAAAD--DLA3VO7QrddgJg7Wevr?sid=Fake-Session"><input type=hidden name=flowToken value="Fake-Flow">
      <input name=extra required value=""><textarea>Fake-Area</textarea><select><option value="Fake-Option">one</select></form>
      <meta name=token content="Fake-Meta"><img src="data:image/png;base64,Fake+Data"><a href="javascript:go('Fake-Script')">x</a>
      <iframe src="https://megan:Fake-User@id.example/a?code=Fake-Code&flag"></iframe>
      <p>Welcome Fake-1, your token is \(token)</p><script>var secret = "Fake-Inline"</script><svg><text>\(token)</text></svg>
      </body>
      """, at: PlayedSite.start + "?state=Fake-State&nonce=Fake-Nonce#Fake-Fragment")
    for part in ["Fake-", "eyJ", "AQABAAE", "Wevr"] { #expect(!sketch.contains(part), "\(part) in \(sketch)") }
    for words in ["name=\"flowToken\" value=\"…\"", "?sid=…", "code=…&amp;flag", "Welcome …, your token is"] {
      #expect(sketch.contains(words), "\(words) in \(sketch)")
    }
  }

  @Test func aLongPageIsCut() async throws {
    let (sketch, _) = try await Self.sketch("<body>" + String(repeating: "<p>word</p>", count: 100_000))
    #expect(sketch.utf8.count < 300_000 && sketch.contains("the rest is left out"))
  }

  @Test func whatIsWrittenIsNoMarkupOfTheSites() async throws {
    let (sketch, _) = try await Self.sketch(
      "<p title='\"><script>x()</script>'>&lt;script&gt;</p><x:y>a</x:y>", at: PlayedSite.start + "/--%3E<script>")
    #expect(!sketch.contains("<script"), "\(sketch)")
  }

  @Test(arguments: [
    ("<title>Sign in</title><p role=alert>Account locked</p><meta name=authflow-code content=AADSTS50053>", true),
    ("<form method=post action=/x><input type=password name=p><button>Sign in</button></form>", false),
  ]) func aPageThatIsUnderstoodIsNotKept(page: String, isError: Bool) async throws {
    let keeper = Keeper()
    let transport = StubTransport { _ in .html(page) }
    let simulation = Simulation(http: transport)
    let browser = SimulatedBrowser(
      PlayedSite.megan { $0.cancels = isError ? .never : .atOnce }, http: transport, clock: simulation.clock,
      cookies: CookieJar(), keep: keeper.keep)
    let visit = BrowserVisit(url: PlayedSite.start, redirectURI: PlayedSite.home, purpose: .signIn)
    _ = try await simulation.run { await browser.visit(visit) }
    #expect(keeper.kept.isEmpty)
  }
}
