import Effects
import Synchronization
import SystemWorld
import Testing

import LiveWorld

/// Tests redirects that the user pastes.
@Suite struct PastedRedirectTests {
  private static let appURI = "msauth.com.example.app://auth"

  @Test(
    "accepts a pasted redirect without its surrounding characters",
    arguments: [
      ("msauth.com.example.app://auth?code=c&state=s1", "msauth.com.example.app://auth?code=c&state=s1"),
      ("  <MSAuth.com.Example.App://AUTH/?code=c&state=s1>\t", "msauth.com.example.app://auth?code=c&state=s1"),
      (
        "'msauth.com.example.app://auth?error=access_denied&state=s1#'",
        "msauth.com.example.app://auth?error=access_denied&state=s1"
      ),
    ])
  func accepted(line: String, url: String) {
    let redirect = PastedRedirect(
      redirectURI: Self.appURI, answer: RedirectExpectation(state: "s1", mayBeEmpty: false))
    #expect(redirect.classify(line) == .answer(url))
  }

  @Test(
    "rejects other input with a reason",
    arguments: [
      ("https://login.example/?code=c&state=s1", "starts with msauth.com.example.app://auth"),
      ("msauth.com.example.app://auth.evil?code=c&state=s1", "the expected URL starts with"),
      ("msauth.com.example.app://auth/other?code=c&state=s1", "the expected URL starts with"),
      ("msauth.com.example.app://auth", "neither a code nor an error"),
      ("msauth.com.example.app://auth?code=c", "another sign-in"),
      ("msauth.com.example.app://auth?code=c&state=s2", "another sign-in"),
      ("msauth.com.example.app://auth?code=c&state=s1&state=s1", "`state` more than once"),
      ("msauth.com.example.app://auth?code=c&state=s1&code=d", "`code` more than once"),
      ("msauth.com.example.app://auth?code=c&iss=a&state=s1&iss=b", "`iss` more than once"),
      ("msauth.com.example.app://auth?code=c d&state=s1", "no spaces"),
      ("msauth.com.example.app://auth?code=c&state=s1\u{1B}[2J", "no spaces"), ("c", "the expected URL starts with"),
    ])
  func rejected(line: String, expected: String) throws {
    let redirect = PastedRedirect(
      redirectURI: Self.appURI, answer: RedirectExpectation(state: "s1", mayBeEmpty: false))
    guard case .refused(let reason) = redirect.classify(line) else {
      Issue.record("\(redirect.classify(line))")
      return
    }
    #expect(reason.contains(expected))
    #expect(redirect.classify(" \r") == .nothing)
  }

  @Test("accepts a pasted redirect with a custom scheme, after failed attempts")
  func customScheme() async {
    let (outcome, messages) = await visit(
      Self.appURI, lines: ["", "help", Self.appURI + "?code=c&state=s2", Self.appURI + "?code=c&state=s1", "unread"])
    #expect(outcome == .redirected(url: Self.appURI + "?code=c&state=s1"))
    #expect(messages[0] == "browser: open the sign-in page in any browser:\nhttps://login.example/?state=s1")
    #expect(messages[1].contains("paste the URL that starts with \(Self.appURI) here"))
    #expect(messages[2...].map { $0.contains("the expected URL starts with") } == [true, false])
  }

  @Test("accepts a pasted loopback redirect from a browser on another machine")
  func otherMachine() async throws {
    let browser = Self.browser(["http://localhost:1/?code=c&state=s1"])
    let redirectURI = await browser.redirectURI(for: "http://localhost/back")
    let otherBrowser = Self.browser([redirectURI + "?code=c&state=s1"])
    let outcome = await otherBrowser.visit(Self.visit(redirectURI))
    #expect(outcome.result == .redirected(url: redirectURI + "?code=c&state=s1"))
  }

  @Test("the end of the input cancels the visit, unless a listener can still receive the redirect")
  func endOfInput() async {
    let (outcome, _) = await visit(Self.appURI, lines: [])
    #expect(outcome == .closed(reason: "the input ended before a redirect was pasted"))
    let (late, _) = await visit("http://localhost:0/", lines: [], clock: ImmediateClock())
    #expect(late == .failed(.timedOut("the sign-in page did not redirect within 300 seconds")))
  }

  // MARK: Helpers

  private static func visit(_ redirectURI: String) -> BrowserVisit {
    BrowserVisit(url: "https://login.example/?state=s1", redirectURI: redirectURI, purpose: .signIn)
  }

  private static func browser(
    _ lines: [String], clock: any WorldClock = LiveClock(), messages: OpenVisit.MessageLog = .init()
  ) -> SystemBrowser {
    let rest = Mutex(lines[...])
    return SystemBrowser(
      redirectMethods: .init(opens: false, pastedLine: { rest.withLock { $0.popFirst() } }),
      environment: Environment(variables: [:], workingDirectory: "/"), clock: clock, printStatus: messages.append)
  }

  private func visit(
    _ redirectURI: String, lines: [String], clock: any WorldClock = LiveClock()
  ) async -> (BrowserOutcome.Result, [String]) {
    let messages = OpenVisit.MessageLog()
    let outcome = await Self.browser(lines, clock: clock, messages: messages).visit(Self.visit(redirectURI))
    return (outcome.result, messages.all)
  }

  @Test("selects the command that opens a page from the environment")
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

  @Test("suggests an alternative if there is no display")
  func noDisplay() async throws {
    let messages = OpenVisit.MessageLog()
    let browser = SystemBrowser(
      environment: Environment(variables: [:], workingDirectory: "/"), clock: ImmediateClock(),
      printStatus: messages.append)
    _ = await browser.visit(BrowserVisit(url: "https://login.example/", redirectURI: nil, purpose: .deviceCode))
    #if !os(macOS)
      #expect(try #require(messages.all.first).contains("a deviceCode step does not require a display"))
    #endif
  }
}
