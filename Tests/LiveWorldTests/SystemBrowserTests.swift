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

@Suite("System browser")
struct SystemBrowserTests {
  @Test("accepts one redirect, and shows a page without resources")
  func redirect() async throws {
    let port = OpenVisit.uniquePort()
    let visit = try await OpenVisit(registered: "http://localhost:\(port)/back")
    #expect(visit.redirectURI == "http://localhost:\(port)/back")
    let page = try await visit.get("/back?code=c%201&state=s1")
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(page.contains("Cache-Control: no-store\r\n"))
    #expect(page.contains("Referrer-Policy: no-referrer\r\n"))
    #expect(page.contains("Content-Security-Policy: default-src 'none'"))
    #expect(page.contains("Sign-in completed"))
    #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("<script"))
    #expect(
      await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?code=c%201&state=s1")))
    #expect(throws: RawConnection.ConnectionRefused.self) { try RawConnection(port: visit.port) }
  }

  @Test("returns the parameters of a form post as a query")
  func formPost() async throws {
    let visit = try await OpenVisit(registered: "http://127.0.0.1/")
    let body = "code=c&state=s1&id_token=a.b.c"
    let page = try await RawConnection.exchange(
      "POST / HTTP/1.1\r\nhost: 127.0.0.1:\(visit.port)\r\nContent-Type: application/x-www-form-urlencoded;charset=utf-8\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", port: visit.port)
    #expect(page.hasPrefix("HTTP/1.1 200 "))
    #expect(await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?\(body)")))
  }

  @Test("shows an error as text without markup")
  func errorPage() async throws {
    let visit = try await OpenVisit(registered: "http://localhost")
    let query = "error=access_denied&error_description=%3Cscript%3Ealert(1)%3C%2Fscript%3E+%22no%22&state=s1"
    let page = try await visit.get("/?\(query)")
    #expect(page.contains("access_denied"))
    #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;no&quot;"))
    #expect(!page.contains("<script"))
    #expect(await visit.outcome.value == BrowserOutcome(.redirected(url: "\(visit.redirectURI)?\(query)")))
  }

  @Test("rejects all other requests and keeps waiting")
  func unexpectedRequests() async throws {
    let visit = try await OpenVisit()
    // One connection is unused, and the other has an incomplete request.
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
      ("GET /back?code=c&state=s1 HTTP/1.1\r\n\(host)\(host)\r\n", 400),
      ("GET /back?code=c&state=s1 HTTP/1.1\r\n\r\n", 400),
      ("GET http://evil.example/back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 421),
      ("HEAD /back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 200),
      ("DELETE /back?code=c&state=s1 HTTP/1.1\r\n\(host)\r\n", 405),
      ("POST /back?code=c&state=s1 HTTP/1.1\r\n\(host)Content-Type: text/plain\r\nContent-Length: 0\r\n\r\n", 415),
      ("POST /back HTTP/1.1\r\n\(host)Content-Length: 70000\r\n\r\n" + String(repeating: "x", count: 70_000), 413),
      ("invalid\r\n\r\n", 400),
    ]
    for (request, status) in requests {
      let response = try await RawConnection.exchange(request, port: visit.port)
      #expect(response.hasPrefix("HTTP/1.1 \(status) "), "\(request.prefix(80))")
    }
    #expect(visit.messages.all.filter { $0.contains("rejected a redirect") }.count == 6)
    #expect(try await visit.get("http://localhost:\(visit.port)/back?code=c&state=s1").hasPrefix("HTTP/1.1 200 "))
    #expect(await visit.outcome.value.result == .redirected(url: "\(visit.redirectURI)?code=c&state=s1"))
    _ = (idle, slow)
  }

  @Test("accepts only the first of several redirects")
  func severalRedirects() async throws {
    let visit = try await OpenVisit()
    let connections = try (1...20).map { _ in try RawConnection(port: visit.port) }
    for (number, connection) in connections.enumerated() {
      connection.send("GET /back?code=\(number)&state=s1 HTTP/1.1\r\nHost: localhost:\(visit.port)\r\n\r\n")
    }
    guard case .redirected(let url) = await visit.outcome.value.result else {
      Issue.record("no redirect")
      return
    }
    let winner = try #require(url.firstMatch(of: /code=(\d+)/)?.1)
    var pages: [Int: String] = [:]
    for (number, connection) in connections.enumerated() { pages[number] = await connection.readToEnd() }
    let completed = pages.filter { $0.value.contains("Sign-in completed") }.map(\.key)
    #expect(completed == [Int(winner)])
  }

  @Test("accepts a sign-out redirect with only its state")
  func signOut() async throws {
    let visit = try await OpenVisit(purpose: .signOut)
    #expect(try await visit.get("/back").hasPrefix("HTTP/1.1 400 "))
    #expect(try await visit.get("/back?state=s1").contains("Signed out"))
    #expect(await visit.outcome.value.result == .redirected(url: "\(visit.redirectURI)?state=s1"))
  }

  @Test("closes the port on cancellation")
  func cancellation() async throws {
    let visit = try await OpenVisit(registered: "http://localhost:\(OpenVisit.uniquePort())/back")
    let idle = try RawConnection(port: visit.port)
    visit.outcome.cancel()
    #expect(await visit.outcome.value.result == .failed(.canceled))
    #expect(await idle.readToEnd() == "")
    #expect(throws: RawConnection.ConnectionRefused.self) { try RawConnection(port: visit.port) }
  }

  private func visit(
    _ redirectURI: String?, environment: [String: String] = ["BROWSER": "true"],
    purpose: BrowserVisit.Purpose = .signIn,
    clock: any WorldClock = ImmediateClock(), url: String = "https://login.example/?state=s",
    messages: OpenVisit.MessageLog = .init()
  ) async -> (BrowserOutcome.Result, String?) {
    let browser = SystemBrowser(
      environment: Environment(variables: environment, workingDirectory: "/"), clock: clock,
      printStatus: messages.append)
    let outcome = await browser.visit(BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose))
    return (outcome.result, browser.failure)
  }

  @Test("times out")
  func timeout() async {
    let signIn = await visit("http://localhost:0/").0
    #expect(signIn == .failed(.timedOut("the sign-in page did not redirect within 300 seconds")))
    let signOut = await visit("http://localhost:0/", purpose: .signOut).0
    #expect(signOut == .closed(reason: "the sign-out page did not redirect within 60 seconds"))
    #expect(await visit(nil, purpose: .deviceCode).0 == .finished)
  }

  @Test("prints the remaining time", arguments: [BrowserVisit.Purpose.signIn, .signOut])
  func countdown(purpose: BrowserVisit.Purpose) async {
    let messages = OpenVisit.MessageLog()
    _ = await visit("http://localhost:0/", purpose: purpose, messages: messages)
    let left = messages.all.compactMap { $0.firstMatch(of: /still waiting, (\d+) seconds left/).flatMap { Int($0.1) } }
    #expect(left == (purpose == .signIn ? [240, 180, 120, 60, 30, 10] : [30, 10]))
  }

  @Test("reports a port in use by another program and does not stop it")
  func portInUse() async throws {
    let other = try LoopbackServer { _ in nil }
    let (result, failure) = await visit("http://127.0.0.1:\(other.port)/back")
    let reason = try #require(failure)
    #expect(reason.hasPrefix("port \(other.port) is in use by another program"))
    #expect(result == .unavailable(reason: reason))
  }

  @Test(
    "reports an unsupported redirect URI and suggests a loopback URI",
    arguments: [
      "msauth.com.example.app://auth", "https://localhost/", "http://login.example/", "http://192.168.0.1:80/",
      "http://localhost.evil.example/", "http://user@localhost/", "http://localhost:99999/", "http://localhost:/",
      "http://localhost:12x/", "http://::1:80/", "urn:ietf:wg:oauth:2.0:oob", "http://127.0.0.1/#x",
    ])
  func unreachable(_ redirectURI: String) async {
    let (result, failure) = await visit(redirectURI)
    guard case .unavailable(let reason) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(reason.hasPrefix(redirectURI + " cannot redirect"))
    #expect(reason.contains("RedirectUri: http://localhost"))
    #expect(failure == nil)
  }

  @Test("keeps a redirect URI that has a port or is not a loopback address")
  func redirectURIs() async {
    let browser = SystemBrowser(
      environment: Environment(variables: [:], workingDirectory: "/"), clock: ImmediateClock(), printStatus: { _ in })
    for uri in ["http://localhost:43210/callback", "msauth.com.example.app://auth"] {
      #expect(await browser.redirectURI(for: uri) == uri)
    }
  }

  @Test("tries commands in order, without a shell, and prints the URL if every command fails")
  func commands() async throws {
    let folder = try TemporaryFolder()
    let script = folder("a browser")
    try LiveFileSystem().replace(
      script, with: Array("#!/bin/sh\nprintf '<%s>' \"$@\" > '\(folder("arguments"))'\n".utf8), privately: true)
    try #require(chmod(script, 0o700) == 0)
    let url = "https://login.example/?a=$(id)&b='x'&state=s"
    let messages = OpenVisit.MessageLog()
    let list = "/no/such/browser:false:'\(script)' --new \"two words\" =%s= 100%% :true"
    _ = await visit(
      nil, environment: ["BROWSER": list], purpose: .deviceCode, clock: LiveClock(), url: url, messages: messages)
    let arguments = String(decoding: try LiveFileSystem().read(folder("arguments"), limit: 4096), as: UTF8.self)
    #expect(arguments == "<--new><two words><=\(url)=><100%>")
    #expect(messages.all.first == "browser: the device code page opened with \(script)")
  }

  @Test("a running browser does not inherit the port")
  func inheritance() async throws {
    let visit = try await OpenVisit(
      registered: "http://localhost:\(OpenVisit.uniquePort())/back", command: "sh -c 'sleep 20 & exit 0' %s")
    _ = try await visit.get("/back?code=c&state=s1")
    _ = await visit.outcome.value
    let secondBrowser = SystemBrowser(
      environment: Environment(variables: ["BROWSER": "true"], workingDirectory: "/"), clock: ImmediateClock(),
      printStatus: { _ in })
    let outcome = await secondBrowser.visit(
      BrowserVisit(url: "https://login.example/?state=s", redirectURI: visit.redirectURI, purpose: .signIn))
    guard case .failed(.timedOut) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
  }

  @Test("prints the URL if no command opens the page")
  func noBrowser() async throws {
    let messages = OpenVisit.MessageLog()
    _ = await visit(
      nil, environment: ["BROWSER": "/no/such/browser:false"], purpose: .deviceCode, clock: LiveClock(),
      messages: messages)
    let text = try #require(messages.all.first)
    #expect(text.contains("/no/such/browser: No such file or directory; false exited with 1"))
    #expect(text.hasSuffix("\nhttps://login.example/?state=s"))
  }

  @Test(
    "does not open an address that is not a web page",
    arguments: ["file:///etc/passwd", "-x", "https://x/ y", "javascript:1"])
  func invalidAddress(_ url: String) async {
    let messages = OpenVisit.MessageLog()
    guard case .failed(.badResponse) = await visit("http://localhost:0/", url: url, messages: messages).0 else {
      Issue.record("opened")
      return
    }
    #expect(messages.all.isEmpty)
  }
}
