import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld

/// What came of one visit to a scripted site.
struct Visited: Sendable {
  var outcome: BrowserOutcome
  var requests: [RequestMessage]
  /// How long it took on the world's clock.
  var elapsed: Duration

  var urls: [String] { requests.map(\.url) }
  /// The body of the last request, as text.
  var sent: String { String(decoding: requests.last?.body ?? [], as: UTF8.self) }

  /// The address that was handed back; nil for any other ending.
  var redirect: String? {
    guard case .redirected(let url) = outcome.ending else { return nil }
    return url
  }

  /// Why the window was closed; nil for any other ending.
  var reason: String? {
    guard case .closed(let reason) = outcome.ending else { return nil }
    return reason
  }
}

/// Sites made of closures, and the people who visit them.
enum PlayedSite {
  static let home = "app://done"
  static let start = "https://id.example/start"

  static func visit(
    _ url: String = start, as user: SimulatedUser = megan(), redirectURI: String? = home,
    purpose: BrowserVisit.Purpose = .signIn, ephemeral: Bool = false, cookies: CookieJar = CookieJar(),
    at begin: Instant = Simulation.start, answer: @escaping StubTransport.Answer
  ) async throws -> Visited {
    let transport = StubTransport(answer)
    let simulation = Simulation(start: begin, http: transport)
    let browser = SimulatedBrowser(user, http: transport, clock: simulation.clock, cookies: cookies)
    let visit = BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose, ephemeral: ephemeral)
    let outcome = try await simulation.run { await browser.visit(visit) }
    return Visited(outcome: outcome, requests: transport.requests, elapsed: simulation.clock.now - begin)
  }

  /// One page at the start; whatever is asked next leads home.
  static func visit(page: String, as user: SimulatedUser = megan(), at begin: Instant = Simulation.start) async throws
    -> Visited
  {
    try await visit(as: user, at: begin) { request in
      request.url == start && request.head.method == .get ? .html(page) : .redirect(to: home)
    }
  }

  static func megan(_ change: (inout SimulatedUser) -> Void = { _ in }) -> SimulatedUser {
    var user = SimulatedUser(username: "megan@contoso.com", password: Secret("Fake-1", kind: .password))
    change(&user)
    return user
  }

  /// A page as the emulator marks it.
  static func marked(_ screen: String, _ content: String, code: String? = nil) -> String {
    let mark = code.map { "<meta name=\"authflow-code\" content=\"\($0)\">" } ?? ""
    return
      "<html><head><meta name=\"authflow-screen\" content=\"\(screen)\">\(mark)</head><body>\(content)</body></html>"
  }

  static func form(_ content: String) -> String { "<form method=post action=/next>\(content)</form>" }
}

extension HTTPFields {
  static func settingCookies(_ cookies: [String]) -> HTTPFields {
    var fields = HTTPFields()
    for cookie in cookies { fields.append(HTTPField(name: .setCookie, value: cookie)) }
    return fields
  }
}
