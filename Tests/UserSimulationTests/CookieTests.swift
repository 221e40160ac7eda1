import Documents
import Effects
import HTTPTypes
import UserSimulation
import SimulatedWorld
import Testing

@Suite("Cookies")
struct CookieTests {
  /// Returns the `Cookie` header of a request to `url` that is sent when the time `later` has passed since a response
  /// from `from` set the cookies.
  private func sent(
    _ cookies: [String], from: String = "https://a.id.example/x/y", to url: String, later: Duration = .zero
  ) async throws -> String? {
    let jar = CookieJar()
    _ = try await StubSite.visit(from, cookies: jar) { _ in
      .redirect(to: StubSite.home, headers: .settingCookies(cookies))
    }
    let visited = try await StubSite.visit(url, cookies: jar, at: Simulation.start + later) { _ in
      .redirect(to: StubSite.home)
    }
    return visited.requests.first?.head.headerFields[.cookie]
  }

  @Test(
    "domain and path determine where a cookie is sent (RFC 6265 §5.1.3, §5.1.4, §5.3)",
    arguments: [
      ("n=v", "https://a.id.example/x/z", true), ("n=v", "https://a.id.example/x", true),
      ("n=v", "https://a.id.example/", false), ("n=v", "https://a.id.example/xy", false),
      ("n=v; Path=/", "https://a.id.example/", true), ("n=v; path=/x", "https://a.id.example/xy", false),
      ("n=v; path=/x/", "https://a.id.example/x", false), ("n=v; Path=relative", "https://a.id.example/x/z", true),
      ("n=v; Path=/", "https://b.id.example/", false), ("n=v; Path=/", "https://c.a.id.example/", false),
      ("n=v; Path=/; Domain=id.example", "https://b.id.example/", true),
      ("n=v; Path=/; Domain=.ID.example", "https://b.id.example/", true),
      ("n=v; Path=/; Domain=id.example", "https://xid.example/", false),
      ("n=v; Path=/; Domain=b.id.example", "https://b.id.example/", false),
      ("n=v; Path=/; Domain=example", "https://a.id.example/", false),
      ("n=v; Path=/; Secure", "https://a.id.example/", true), ("n=v; Path=/; Secure", "http://a.id.example/", false),
      ("__Host-n=v; Path=/; Secure", "https://a.id.example/", true),
      ("__Host-n=v; Path=/", "https://a.id.example/", false), ("__Secure-n=v; Path=/", "https://a.id.example/", false),
      ("invalid", "https://a.id.example/x/y", false), ("=v", "https://a.id.example/x/y", false),
      ("n=v; Path=/; HttpOnly; SameSite=None; Partitioned", "https://a.id.example/", true),
    ])
  func scope(_ cookie: String, _ url: String, _ isSent: Bool) async throws {
    #expect((try await sent([cookie], to: url) != nil) == isSent)
  }

  /// In these tests, the clock starts at 2025-01-01T00:00:00Z.
  @Test(
    "cookies expire according to the virtual clock",
    arguments: [
      ("n=v", 400 * 86_400, true), ("n=v; Max-Age=60", 59, true), ("n=v; Max-Age=60", 60, false),
      ("n=v; Max-Age=0", 0, false), ("n=v; Max-Age=-1", 0, false),
      ("n=v; Expires=Wed, 01 Jan 2025 00:01:00 GMT", 59, true),
      ("n=v; Expires=Wed, 01 Jan 2025 00:01:00 GMT", 60, false),
      ("n=v; Expires=Wednesday, 01-Jan-25 00:01:00 GMT", 60, false),
      ("n=v; Expires=Wed Jan  1 00:01:00 2025", 60, false),
      ("n=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0, false),
      ("n=v; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 86_400, true), ("n=v; Expires=never", 86_400, true),
      ("n=v; Max-Age=9223372036854775807", 86_400, true),
      ("n=v; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=60", 59, true),
    ])
  func expiry(_ cookie: String, _ seconds: Int, _ isSent: Bool) async throws {
    let field = try await sent([cookie + "; Path=/"], to: "https://a.id.example/", later: .seconds(seconds))
    #expect((field != nil) == isSent)
  }

  @Test("sends cookies with longer paths first, and then older cookies, each with its latest value")
  func order() async throws {
    let cookies = ["one=1; Path=/", "two=2; Path=/", "deep=3; Path=/x", "one=changed; Path=/"]
    #expect(try await sent(cookies, to: "https://a.id.example/x/y") == "deep=3; one=changed; two=2")
  }

  @Test("keeps values but trims surrounding spaces")
  func values() async throws {
    #expect(try await sent(["n = \"a=b, c\" ; Path=/"], to: "https://a.id.example/") == "n=\"a=b, c\"")
  }

  @Test("sends secure cookies to this machine without TLS, but a page without TLS cannot change them")
  func trustworthy() async throws {
    let url = "http://localhost:8080/"
    #expect(try await sent(["n=v; Secure; Path=/"], from: url, to: url) == "n=v")
    let jar = CookieJar()
    for (url, value) in [("https://id.example/", "safe; Secure"), ("http://id.example/", "forged")] {
      _ = try await StubSite.visit(url, cookies: jar) { _ in
        .redirect(to: StubSite.home, headers: .settingCookies(["n=\(value)"]))
      }
    }
    let visited = try await StubSite.visit("https://id.example/", cookies: jar) { _ in .redirect(to: StubSite.home)
    }
    #expect(visited.requests.first?.head.headerFields[.cookie] == "n=safe")
  }

  @Test("a private window neither sends nor stores cookies")
  func ephemeral() async throws {
    let jar = CookieJar()
    let response: StubTransport.Answer = { request in
      request.head.path == "/start"
        ? .redirect(to: "/second", headers: .settingCookies(["n=v"])) : .redirect(to: StubSite.home)
    }
    let first = try await StubSite.visit(ephemeral: true, cookies: jar, response: response)
    #expect(first.requests.map { $0.head.headerFields[.cookie] } == [nil, "n=v"])
    let second = try await StubSite.visit(cookies: jar, response: response)
    #expect(second.requests.map { $0.head.headerFields[.cookie] } == [nil, "n=v"])
    let third = try await StubSite.visit(ephemeral: true, cookies: jar, response: response)
    #expect(third.requests.first?.head.headerFields[.cookie] == nil)
  }

  @Test("JSON preserves order, domain, path, and expiration, and omits expired cookies")
  func persistence() async throws {
    let jar = CookieJar()
    let cookies = [
      "old=1; Path=/; Max-Age=60", "wide=2; Path=/; Domain=id.example; Secure", "deep=3; Path=/x", "last=4; Path=/",
    ]
    _ = try await StubSite.visit("https://a.id.example/x", cookies: jar) { _ in
      .redirect(to: StubSite.home, headers: .settingCookies(cookies))
    }
    func sent(_ jar: CookieJar, _ url: String) async throws -> String? {
      let visited = try await StubSite.visit(url, cookies: jar) { _ in .redirect(to: StubSite.home) }
      return visited.requests.first?.head.headerFields[.cookie]
    }
    let soon = CookieJar(json: jar.json(at: Simulation.start))
    #expect(try await sent(soon, "https://a.id.example/x") == "deep=3; old=1; wide=2; last=4")
    #expect(try await sent(soon, "https://b.id.example/") == "wide=2")
    #expect(try await sent(soon, "http://a.id.example/") == "old=1; last=4")
    let later = CookieJar(json: jar.json(at: Simulation.start + .seconds(60)))
    #expect(try await sent(later, "https://a.id.example/") == "wide=2; last=4")
  }

  @Test(
    "ignores saved entries that are not cookies",
    arguments: [.null, "text", ["name": "n"], [1, ["name": "n"], ["name": 1, "value": "v", "domain": "id.example"]]]
      as [JSON])
  func invalidPersistence(_ json: JSON) {
    #expect(CookieJar(json: json).json(at: Simulation.start) == .array([]))
  }
}
