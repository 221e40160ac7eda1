import Effects
import HTTPTypes
import UserSimulation
import RunTrace
import SimulatedWorld

/// The result of visiting a scripted site.
struct Visited: Sendable {
  var outcome: BrowserOutcome
  var requests: [RequestMessage]
  /// The duration of the visit on the virtual clock.
  var elapsed: Duration

  var urls: [String] { requests.map(\.url) }
  /// The body of the last request.
  var sent: String { String(decoding: requests.last?.body ?? [], as: UTF8.self) }

  /// The redirect URL, or nil if the visit did not reach the redirect URI.
  var redirect: String? {
    guard case .redirected(let url) = outcome.result else { return nil }
    return url
  }

  /// The reason for closing the window, or nil if the window was not closed.
  var reason: String? {
    guard case .closed(let reason) = outcome.result else { return nil }
    return reason
  }
}

/// Visits sites with scripted pages.
enum StubSite {
  static let home = "app://done"
  static let start = "https://id.example/start"

  static func visit(
    _ url: String = start, as user: SimulatedUser = megan(), redirectURI: String? = home,
    purpose: BrowserVisit.Purpose = .signIn, ephemeral: Bool = false, cookies: CookieJar = CookieJar(),
    at begin: Instant = Simulation.start, response: @escaping StubTransport.Answer
  ) async throws -> Visited {
    let transport = StubTransport(response)
    let simulation = Simulation(start: begin, http: transport)
    let browser = SimulatedBrowser(user, http: transport, clock: simulation.clock, cookies: cookies)
    let visit = BrowserVisit(url: url, redirectURI: redirectURI, purpose: purpose, ephemeral: ephemeral)
    let outcome = try await simulation.run { await browser.visit(visit) }
    return Visited(outcome: outcome, requests: transport.requests, elapsed: simulation.clock.now - begin)
  }

  /// Visits a site that shows a single page and redirects after any input.
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

  /// Returns a page with the emulator's meta element.
  static func page(screen: String, _ content: String, code: String? = nil) -> String {
    let codeElement = code.map { "<meta name=\"authflow-code\" content=\"\($0)\">" } ?? ""
    return
      "<html><head><meta name=\"authflow-screen\" content=\"\(screen)\">\(codeElement)</head><body>\(content)</body></html>"
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
