import Effects
import Synchronization
import SystemWorld
import Testing

import LiveWorld

/// Pages whose answer a user brings back by hand.
@Suite struct PastedRedirectTests {
  private static let appURI = "msauth.com.example.app://auth"

  @Test(
    "what a user copies is the answer, with what stands around it left away",
    arguments: [
      ("msauth.com.example.app://auth?code=c&state=s1", "msauth.com.example.app://auth?code=c&state=s1"),
      ("  <MSAuth.com.Example.App://AUTH/?code=c&state=s1>\t", "msauth.com.example.app://auth?code=c&state=s1"),
      (
        "'msauth.com.example.app://auth?error=access_denied&state=s1#'",
        "msauth.com.example.app://auth?error=access_denied&state=s1"
      ),
    ])
  func answers(line: String, url: String) {
    let redirect = PastedRedirect(
      redirectURI: Self.appURI, answer: RedirectExpectation(state: "s1", mayBeEmpty: false))
    #expect(redirect.judge(line) == .answer(url))
  }

  @Test(
    "what is no answer is told, and never taken",
    arguments: [
      ("https://login.example/?code=c&state=s1", "begins with msauth.com.example.app://auth"),
      ("msauth.com.example.app://auth.evil?code=c&state=s1", "begins with"),
      ("msauth.com.example.app://auth/other?code=c&state=s1", "begins with"),
      ("msauth.com.example.app://auth", "neither a code nor an error"),
      ("msauth.com.example.app://auth?code=c", "another sign-in"),
      ("msauth.com.example.app://auth?code=c&state=s2", "another sign-in"),
      ("msauth.com.example.app://auth?code=c&state=s1&state=s1", "`state` more than once"),
      ("msauth.com.example.app://auth?code=c&state=s1&code=d", "`code` more than once"),
      ("msauth.com.example.app://auth?code=c&iss=a&state=s1&iss=b", "`iss` more than once"),
      ("msauth.com.example.app://auth?code=c d&state=s1", "no blanks"),
      ("msauth.com.example.app://auth?code=c&state=s1\u{1B}[2J", "no blanks"), ("c", "begins with"),
    ])
  func refusals(line: String, words: String) throws {
    let redirect = PastedRedirect(
      redirectURI: Self.appURI, answer: RedirectExpectation(state: "s1", mayBeEmpty: false))
    guard case .refused(let reason) = redirect.judge(line) else {
      Issue.record("\(redirect.judge(line))")
      return
    }
    #expect(reason.contains(words))
    #expect(redirect.judge(" \r") == .nothing)
  }

  @Test("an app's own scheme comes back by hand, after as many tries as it takes")
  func ownScheme() async {
    let (outcome, said) = await visit(
      Self.appURI, lines: ["", "what?", Self.appURI + "?code=c&state=s2", Self.appURI + "?code=c&state=s1", "unread"])
    #expect(outcome == .redirected(url: Self.appURI + "?code=c&state=s1"))
    #expect(said[0] == "browser: open the sign-in page in any browser:\nhttps://login.example/?state=s1")
    #expect(said[1].contains("paste it here: it begins with \(Self.appURI)"))
    #expect(said[2...].map { $0.contains("begins with") } == [true, false])
  }

  @Test("a loopback address may be pasted too, where the browser is on another machine")
  func otherMachine() async throws {
    let browser = Self.browser(["http://localhost:1/?code=c&state=s1"])
    let redirectURI = await browser.redirectURI(for: "http://localhost/back")
    let pasting = Self.browser([redirectURI + "?code=c&state=s1"])
    let outcome = await pasting.visit(Self.visit(redirectURI))
    #expect(outcome.ending == .redirected(url: redirectURI + "?code=c&state=s1"))
  }

  @Test("who pastes nothing has closed the page; with a listener the answer may still come")
  func endOfInput() async {
    let (outcome, _) = await visit(Self.appURI, lines: [])
    #expect(outcome == .closed(reason: "the input ended before the address of a redirect was pasted"))
    let (late, _) = await visit("http://localhost:0/", lines: [], clock: ImpatientClock())
    #expect(late == .failed(.timedOut("nobody came back from the sign-in page within 300 seconds")))
  }

  // MARK: Helpers

  private static func visit(_ redirectURI: String) -> BrowserVisit {
    BrowserVisit(url: "https://login.example/?state=s1", redirectURI: redirectURI, purpose: .signIn)
  }

  private static func browser(
    _ lines: [String], clock: any WorldClock = LiveClock(), said: OpenVisit.Sayings = .init()
  ) -> SystemBrowser {
    let rest = Mutex(lines[...])
    return SystemBrowser(
      ways: .init(opens: false, pastedLine: { rest.withLock { $0.popFirst() } }),
      environment: Environment(variables: [:], workingDirectory: "/"), clock: clock, say: said.say)
  }

  private func visit(
    _ redirectURI: String, lines: [String], clock: any WorldClock = LiveClock()
  ) async -> (BrowserOutcome.Result, [String]) {
    let said = OpenVisit.Sayings()
    let outcome = await Self.browser(lines, clock: clock, said: said).visit(Self.visit(redirectURI))
    return (outcome.ending, said.all)
  }

  @Test("the commands that open a page follow the surroundings")
  func commands() {
    func names(_ variables: [String: String]) -> [String] {
      let environment = Environment(variables: variables, workingDirectory: "/")
      return BrowserCommands.find(for: "https://login.example/?a=1&b=2", in: environment).map { $0[0] }
    }
    #if !os(macOS)
      #expect(names([:]) == [])
      #expect(names(["DISPLAY": ":0"]) == ["xdg-open"] && names(["WAYLAND_DISPLAY": "wayland-0"]) == ["xdg-open"])
      #expect(names(["WSL_DISTRO_NAME": "Debian"]) == ["wslview", "rundll32.exe", "xdg-open"])
    #endif
    #expect(names(["BROWSER": "one:two %s", "DISPLAY": ":0"]) == ["one", "two"])
  }

  @Test("where there is no display, a way out is named")
  func noDisplay() async throws {
    let said = OpenVisit.Sayings()
    let browser = SystemBrowser(
      environment: Environment(variables: [:], workingDirectory: "/"), clock: ImpatientClock(), say: said.say)
    _ = await browser.visit(BrowserVisit(url: "https://login.example/", redirectURI: nil, purpose: .deviceCode))
    #if !os(macOS)
      #expect(try #require(said.all.first).contains("a deviceCode step needs none"))
    #endif
  }
}
