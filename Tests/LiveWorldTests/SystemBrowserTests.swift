import Effects
import LiveWorld
import SystemWorld
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

@Suite("The system's browser")
struct SystemBrowserTests {
  @Test("a redirect comes back once, with a page that loads nothing")
  func redirect() async throws {
    let port = OpenVisit.portOfItsOwn()
    let visit = try await OpenVisit(registered: "http://localhost:\(port)/back")
    #expect(visit.redirectURI == "http://localhost:\(port)/back")
    let page = try await visit.get("/back?code=c%201&state=s1")
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(page.contains("Cache-Control: no-store\r\n"))
    #expect(page.contains("Referrer-Policy: no-referrer\r\n"))
    #expect(page.contains("Content-Security-Policy: default-src 'none'"))
    #expect(page.contains("The sign-in came back"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"))
    #expect(
      await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?code=c%201&state=s1")))
    #expect(throws: RawConnection.Refused.self) { try RawConnection(port: visit.port) }
  }

  @Test("a form that is posted comes back as a query")
  func formPost() async throws {
    let visit = try await OpenVisit(registered: "http://127.0.0.1/")
    let body = "code=c&state=s1&id_token=a.b.c"
    let page = try await RawConnection.exchange(
      "POST / HTTP/1.1\r\nhost: 127.0.0.1:\(visit.port)\r\nContent-Type: application/x-www-form-urlencoded;charset=utf-8\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", port: visit.port)
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?\(body)")))
  }

  @Test("a refusal is shown as text, whatever it holds")
  func refusal() async throws {
    let visit = try await OpenVisit(registered: "http://localhost")
    let query = "error=access_denied&error_description=%3Cscript%3Ealert(1)%3C%2Fscript%3E+%22no%22&state=s1"
    let page = try await visit.get("/?\(query)")
    #expect(page.contains("access_denied"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;no&quot;"))
    #expect(!page.contains("<script"))
    #expect(await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?\(query)")))
  }

  @Test("whatever else is asked for changes nothing")
  func strays() async throws {
    let visit = try await OpenVisit()
    // Opened in advance and not used, sent in part, and never finished.
    let idle = try RawConnection(port: visit.port)
    let slow = try RawConnection(port: visit.port)
    slow.send("GET /back?code=c&st")
    let host = "Host: localhost:\(visit.port)\r\n"
    let requests: [(request: String, status: Int)] = [
      ("GET /favicon.ico HTTP/1.1\r\n\(host)\r\n", 404),
      ("GET /backdoor?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 404),
      ("GET /back/?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 404),
      ("GET /back HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c&state=s2 HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?error=x HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c&state=s1&state=s1 HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c&state=s1&code=c HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c&iss=a&state=s1&i%73s=b HTTP/1.1\r\n\(host)\r\n", 400),
      ("GET /back?code=c&state=s1 HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
      ("GET /back?code=c&state=s1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 421),
      ("GET /back?code=c&state=s1 HTTP/1.1\r\n\(host)\(host)\r\n", 421),
      ("GET /back?code=c&state=s1 HTTP/1.1\r\n\r\n", 421),
      ("GET http://evil.example/back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 404),
      ("HEAD /back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 200),
      ("DELETE /back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 405),
      ("POST /back?code=c&state=s1 HTTP/1.1\r\n\(host)Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n", 415),
      ("POST /back HTTP/1.1\r\n\(host)Content-Length: 70000\r\n\r\n" + String(repeating: "x", count: 70_000), 413),
      ("neither this nor that\r\n\r\n", 400),
    ]
    for (request, status) in requests {
      let answer = try await RawConnection.exchange(request, port: visit.port)
      #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(80))")
    }
    #expect(visit.said.all.filter { $0.contains("turned away") }.count == 6)
    #expect(try await visit.get("http://localhost:\(visit.port)/back?code=c&state=s1").hasPrefix("HTTP/1.1 200 "))
    #expect(await visit.outcome.value.ending == .redirected(url: "\(visit.redirectURI)?code=c&state=s1"))
    _ = (idle, slow)
  }

  @Test("of two answers the first counts")
  func twoAnswers() async throws {
    let visit = try await OpenVisit()
    let connections = try (1...20).map { _ in try RawConnection(port: visit.port) }
    for (number, connection) in connections.enumerated() {
      connection.send("GET /back?code=\(number)&state=s1 HTTP/1.1\r\nHost: localhost:\(visit.port)\r\n\r\n")
    }
    guard case .redirected(let url) = await visit.outcome.value.ending else {
      Issue.record("no redirect")
      return
    }
    let winner = try #require(url.firstMatch(of: /code=(\d+)/)?.1)
    var pages: [Int: String] = [:]
    for (number, connection) in connections.enumerated() { pages[number] = await connection.answer() }
    let welcomed = pages.filter { $0.value.contains("The sign-in came back") }.map(\.key)
    #expect(welcomed == [Int(winner)])
  }

  @Test("a sign-out page comes back with its state alone")
  func signOut() async throws {
    let visit = try await OpenVisit(purpose: .signOut)
    #expect(try await visit.get("/back").hasPrefix("HTTP/1.1 400 "))
    #expect(try await visit.get("/back?state=s1").contains("Signed out"))
    #expect(await visit.outcome.value.ending == .redirected(url: "\(visit.redirectURI)?state=s1"))
  }

  @Test("who is cancelled leaves no open port")
  func cancellation() async throws {
    let visit = try await OpenVisit(registered: "http://localhost:\(OpenVisit.portOfItsOwn())/back")
    let idle = try RawConnection(port: visit.port)
    visit.outcome.cancel()
    #expect(await visit.outcome.value.ending == .failed(.cancelled))
    #expect(await idle.answer() == "")
    #expect(throws: RawConnection.Refused.self) { try RawConnection(port: visit.port) }
  }

  private func visit(
    _ redirectURI: String?, environment: [String: String] = ["BROWSER": "true"],
    purpose: BrowserVisit.Purpose = .signIn,
    clock: any WorldClock = ImpatientClock(), url: String = "https://login.example/?state=s",
    said: OpenVisit.Sayings = .init()
  ) async -> (BrowserOutcome.Result, String?) {
    let browser = SystemBrowser(
      environment: Environment(variables: environment, workingDirectory: "/"), clock: clock, say: said.say)
    let outcome = await browser.visit(BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose))
    return (outcome.ending, browser.failure)
  }

  @Test("patience ends")
  func patience() async {
    let signIn = await visit("http://localhost:0/").0
    #expect(signIn == .failed(.timedOut("nobody came back from the sign-in page within 300 seconds")))
    let signOut = await visit("http://localhost:0/", purpose: .signOut).0
    #expect(signOut == .closed(reason: "the sign-out page did not come back within 60 seconds"))
    #expect(await visit(nil, purpose: .deviceCode).0 == .finished)
  }

  @Test("what is left of the patience is told", arguments: [BrowserVisit.Purpose.signIn, .signOut])
  func countdown(purpose: BrowserVisit.Purpose) async {
    let said = OpenVisit.Sayings()
    _ = await visit("http://localhost:0/", purpose: purpose, said: said)
    let left = said.all.compactMap { $0.firstMatch(of: /still waiting, (\d+) seconds left/).flatMap { Int($0.1) } }
    #expect(left == (purpose == .signIn ? [240, 180, 120, 60, 30, 10] : [30, 10]))
  }

  @Test("a port that another program listens on is named, and stays that program's")
  func portInUse() async throws {
    let other = try LoopbackServer { _ in nil }
    let (ending, failure) = await visit("http://127.0.0.1:\(other.port)/back")
    let reason = try #require(failure)
    #expect(reason.hasPrefix("port \(other.port) is in use by another program"))
    #expect(ending == .unavailable(reason: reason))
  }

  @Test(
    "what cannot come back is told, with what can",
    arguments: [
      "msauth.com.example.app://auth", "https://localhost/", "http://login.example/", "http://192.168.0.1:80/",
      "http://localhost.evil.example/", "http://user@localhost/", "http://localhost:99999/", "http://localhost:/",
      "http://localhost:12x/", "http://::1:80/", "urn:ietf:wg:oauth:2.0:oob", "http://127.0.0.1/#x",
    ])
  func unreachable(_ redirectURI: String) async {
    let (ending, failure) = await visit(redirectURI)
    guard case .unavailable(let reason) = ending else {
      Issue.record("\(ending)")
      return
    }
    #expect(reason.hasPrefix(redirectURI + " cannot come back"))
    #expect(reason.contains("RedirectUri: http://localhost"))
    #expect(failure == nil)
  }

  @Test("a redirect URI with a port, and one that cannot be listened on, are sent as they are")
  func redirectURIs() async {
    let browser = SystemBrowser(
      environment: Environment(variables: [:], workingDirectory: "/"), clock: ImpatientClock(), say: { _ in })
    for uri in ["http://localhost:43210/callback", "msauth.com.example.app://auth"] {
      #expect(await browser.redirectURI(for: uri) == uri)
    }
  }

  @Test("commands are tried in order, without a shell, and the address is shown where none opens it")
  func commands() async throws {
    let folder = try TemporaryFolder()
    let script = folder("a browser")
    try LiveFileSystem().replace(
      script, with: Array("#!/bin/sh\nprintf '<%s>' \"$@\" > '\(folder("seen"))'\n".utf8), privately: true)
    try #require(chmod(script, 0o700) == 0)
    let url = "https://login.example/?a=$(id)&b='x'&state=s"
    let said = OpenVisit.Sayings()
    let list = "/no/such/browser:false:'\(script)' --new \"two words\" =%s= 100%% :true"
    _ = await visit(
      nil, environment: ["BROWSER": list], purpose: .deviceCode, clock: LiveClock(), url: url, said: said)
    let seen = String(decoding: try LiveFileSystem().read(folder("seen"), limit: 4096), as: UTF8.self)
    #expect(seen == "<--new><two words><=\(url)=><100%>")
    #expect(said.all.first == "browser: the page for the device's code was opened with \(script)")
  }

  @Test("a browser that goes on running does not hold the port")
  func inheritance() async throws {
    let visit = try await OpenVisit(
      registered: "http://localhost:\(OpenVisit.portOfItsOwn())/back", command: "sh -c 'sleep 20 & exit 0' %s")
    _ = try await visit.get("/back?code=c&state=s1")
    _ = await visit.outcome.value
    let again = SystemBrowser(
      environment: Environment(variables: ["BROWSER": "true"], workingDirectory: "/"), clock: ImpatientClock(),
      say: { _ in })
    let outcome = await again.visit(
      BrowserVisit(url: "https://login.example/?state=s", redirectURI: visit.redirectURI, purpose: .signIn))
    guard case .failed(.timedOut) = outcome.ending else {
      Issue.record("\(outcome.ending)")
      return
    }
  }

  @Test("where no command opens the page, its address is shown")
  func noBrowser() async throws {
    let said = OpenVisit.Sayings()
    _ = await visit(
      nil, environment: ["BROWSER": "/no/such/browser:false"], purpose: .deviceCode, clock: LiveClock(), said: said)
    let text = try #require(said.all.first)
    #expect(text.contains("/no/such/browser: No such file or directory; false ended with 1"))
    #expect(text.hasSuffix("\nhttps://login.example/?state=s"))
  }

  @Test(
    "an address that is no web page is not opened",
    arguments: ["file:///etc/passwd", "-x", "https://x/ y", "javascript:1"])
  func strangeAddress(_ url: String) async {
    let said = OpenVisit.Sayings()
    guard case .failed(.badResponse) = await visit("http://localhost:0/", url: url, said: said).0 else {
      Issue.record("opened")
      return
    }
    #expect(said.all.isEmpty)
  }
}
