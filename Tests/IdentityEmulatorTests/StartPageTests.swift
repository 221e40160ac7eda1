import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import Testing

/// Tests access to the start page, and the requests that only the start page uses.
@Suite("Start page")
struct StartPageTests {
  static let base = "http://localhost:8400"
  static let fetchSite = HTTPField.Name("sec-fetch-site") ?? .accept

  static func control(
    _ stage: Stage, _ method: HTTPRequest.Method, _ path: String, body: JSON? = nil, headers: HTTPFields = [:],
    base: String = base
  ) async throws -> (status: Int, json: JSON) {
    var headers = headers
    if body != nil { headers[.contentType] = "application/json" }
    let response = try await stage.send(
      method, "\(base)/_authflow/\(path)", headers: headers, body: body.map { Array($0.text().utf8) } ?? [])
    return (response.head.status.code, try JSON(parsing: response.body))
  }

  /// Opens a link and returns the response.
  private static func open(_ stage: Stage, _ link: String) async throws -> ResponseMessage {
    try await stage.send(.get, link)
  }

  /// Opens a link and returns the headers that the start page then sends with its requests.
  private static func headers(_ stage: Stage) async throws -> HTTPFields {
    let response = try await open(stage, stage.emulator.startPageLink(base: base))
    let cookie = try #require(response.head.headerFields[.setCookie]).prefix { $0 != ";" }
    return [.cookie: String(cookie), Self.fetchSite: "same-origin", .origin: base]
  }

  @Test("a link works once and redirects to a URL without the token")
  func link() async throws {
    let stage = Stage(servesEveryHost: true)
    let link = stage.emulator.startPageLink(base: Self.base)
    let first = try await Self.open(stage, link)
    #expect(first.head.status.code == 303)
    #expect(first.head.headerFields[.location] == "/")
    let cookie = try #require(first.head.headerFields[.setCookie])
    for attribute in ["authflow-page-8400=", "HttpOnly", "SameSite=Strict", "Path=/_authflow"] {
      #expect(cookie.contains(attribute), "\(attribute)")
    }
    let second = try await Self.open(stage, link)
    #expect(second.head.status.code == 403)
    #expect(second.head.headerFields[.setCookie] == nil)
    #expect(String(decoding: second.body, as: UTF8.self).contains("/_authflow/links"))
    let guess = try await Self.open(stage, Self.base + "/?token=guess")
    #expect(guess.head.status.code == 403)
  }

  @Test("a control request creates a link with the request's host")
  func anotherLink() async throws {
    let stage = Stage(servesEveryHost: true)
    let created = try await Self.control(stage, .post, "links")
    let url = try #require(created.json["url"]?.string)
    #expect(url.hasPrefix(Self.base + "/?token="))
    #expect(try await Self.open(stage, url).head.status.code == 303)
  }

  @Test("the emulator keeps the newest 32 unused links")
  func manyLinks() async throws {
    let stage = Stage(servesEveryHost: true)
    let links = (0..<33).map { _ in stage.emulator.startPageLink(base: Self.base) }
    #expect(try await Self.open(stage, links[0]).head.status.code == 403)
    #expect(try await Self.open(stage, links[32]).head.status.code == 303)
  }

  @Test("the start page can use the control interface, and no other page can")
  func access() async throws {
    let stage = Stage(servesEveryHost: true)
    let headers = try await Self.headers(stage)
    #expect(try await Self.control(stage, .get, "state", headers: headers).status == 200)
    #expect(try await Self.control(stage, .post, "events", body: [["wait": "1h"]], headers: headers).status == 200)
    let changes: [(HTTPField.Name, String?)] = [
      (.cookie, nil), (.cookie, "authflow-page-8400=guess"), (.origin, "http://localhost:9000"),
      (.origin, "https://evil.example"), (.origin, "null"), (Self.fetchSite, "cross-site"),
      (Self.fetchSite, "same-site"),
    ]
    for (name, value) in changes {
      var changed = headers
      changed[name] = value
      let response = try await Self.control(stage, .get, "state", headers: changed)
      #expect(response.status == 403, "\(name): \(value ?? "missing")")
    }
    // The host name of an attacker, which resolves to this machine.
    var rebound = headers
    rebound[.origin] = "http://evil.example:8400"
    let response = try await Self.control(stage, .get, "state", headers: rebound, base: "http://evil.example:8400")
    #expect(response.status == 403)
  }

  @Test("the start page loads only its own files, and other pages cannot embed it")
  func headers() async throws {
    let stage = Stage(servesEveryHost: true)
    let page = try await stage.send(.get, Self.base + "/")
    let policy = try #require(page.head.headerFields[.contentSecurityPolicy])
    #expect(policy.contains("script-src 'self';") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(page.head.headerFields[try #require(HTTPField.Name("referrer-policy"))] == "no-referrer")
    #expect(page.head.headerFields[.xContentTypeOptions] == "nosniff")
    #expect(page.head.headerFields[.cacheControl] == "no-store")
    let html = String(decoding: page.body, as: UTF8.self)
    let files = html.between("=\"/_page/", "\"")
    #expect(files == ["start.css", "start.js"])
    for file in files + ["control.js", "request-list.js", "changes.js", "sign-in.js"] {
      let response = try await stage.send(.get, "\(Self.base)/_page/\(file)")
      #expect(response.head.status.code == 200, "\(file)")
      #expect(response.head.headerFields[.contentType]?.hasPrefix("text/") == true)
      #expect(response.head.headerFields[.cacheControl] == "no-store")
    }
    for file in ["page.css", "../keys", "start.js/x", ""] {
      #expect(try await stage.send(.get, "\(Self.base)/_page/\(file)").head.status.code == 404, "\(file)")
    }
    let log = try await Self.control(stage, .get, "requests")
    #expect(log.json["requests"]?.array?.isEmpty == true)
  }

  @Test("the start page responds while the emulated network is offline")
  func offline() async throws {
    let stage = Stage(servesEveryHost: true)
    try await stage.simulate([["offline": "1h"]])
    #expect(try await stage.send(.get, Self.base + "/").head.status.code == 200)
    #expect(try await stage.send(.get, Self.base + "/common/discovery/v2.0/keys").head.status.code == 502)
  }

  @Test("without the control interface, the start page has no script")
  func withoutControl() async throws {
    let emulator = IdentityPlatformEmulator(
      clock: HandClock(), randomness: Stage().randomness, options: .init(servesEveryHost: true))
    let response = await emulator.respond(to: try #require(RequestMessage(method: .get, url: Self.base + "/")))
    let html = String(decoding: response.body, as: UTF8.self)
    #expect(html.contains("megan@contoso.com") && !html.contains("<script"))
    let link = emulator.startPageLink(base: Self.base)
    let opened = await emulator.respond(to: try #require(RequestMessage(method: .get, url: link)))
    #expect(opened.head.headerFields[.setCookie] == nil)
  }

  @Test("removes a single fault by its number")
  func removeFault() async throws {
    let stage = Stage(servesEveryHost: true)
    let added = try await Self.control(
      stage, .post, "faults",
      body: [
        ["at": "token", "response": ["status": 503, "retryAfter": "30s"]], ["at": "graph", "response": "reset"],
      ])
    #expect(added.json["faults"]?.array?.compactMap { $0["number"]?.integer } == [1, 2])
    let removed = try await Self.control(stage, .delete, "faults/1")
    #expect(removed.json["faults"]?.array?.compactMap { $0["at"]?.string } == ["graph"])
    #expect(try await Self.control(stage, .delete, "faults/1").status == 404)
    let next = try await Self.control(stage, .post, "faults", body: [["at": "token", "response": "html"]])
    #expect(next.json["faults"]?.array?.last?["number"]?.integer == 3)
  }
}
