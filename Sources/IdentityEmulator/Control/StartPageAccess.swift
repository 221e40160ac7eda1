import Documents
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// The browsers that can use the control interface from the start page.
///
/// A browser receives access through a link that works once. The emulator exchanges the link's token for a cookie that
/// scripts cannot read and that browsers do not send with requests from other sites. Other browsers and other origins
/// cannot get the cookie.
final class StartPageAccess: Sendable {
  private struct State {
    /// The tokens of links that were not opened yet, oldest first.
    var links: [String] = []
    /// The cookie values of the browsers with access, oldest first.
    var sessions: [String] = []
  }

  /// The maximum number of unused links, and of browsers. The oldest are removed first.
  private static let limit = 32
  /// The query parameter of a link.
  static let parameter = "token"

  private let state = Mutex(State())

  /// Returns the token of a new link.
  func newLink(_ randomness: any Randomness) -> String {
    let token = Base64URL.encode(randomness.bytes(32))
    state.withLock { Self.append(token, to: &$0.links) }
    return token
  }

  /// Exchanges a token for a cookie value. Returns nil if the token is unknown or was already exchanged.
  func exchange(_ token: String, _ randomness: any Randomness) -> String? {
    let session = Base64URL.encode(randomness.bytes(32))
    return state.withLock { state in
      guard let index = state.links.firstIndex(where: { ConstantTime.equal($0, token) }) else { return nil }
      state.links.remove(at: index)
      Self.append(session, to: &state.sessions)
      return session
    }
  }

  private static func append(_ value: String, to list: inout [String]) {
    if list.count >= limit { list.removeFirst() }
    list.append(value)
  }

  /// Whether the request comes from the start page in a browser that opened a link.
  func includes(_ exchange: EmulatorRequest) -> Bool {
    let site = exchange.request.head.headerFields[.fetchSite]
    guard exchange.origin == nil || exchange.origin == exchange.base, site == nil || site == "same-origin",
      let cookie = exchange.cookies[Self.cookieName(exchange)]
    else { return false }
    return state.withLock { $0.sessions.contains { ConstantTime.equal($0, cookie) } }
  }

  /// The name of the cookie. Browsers share cookies between all ports of a host, so the name contains the port.
  private static func cookieName(_ exchange: EmulatorRequest) -> String {
    "authflow-page-\(exchange.base.split(separator: ":").last.flatMap { UInt16($0) } ?? (exchange.isSecure ? 443 : 80))"
  }

  /// Returns the response to a link: a redirect to the start page without the token, or an error page.
  func response(to token: String, _ exchange: EmulatorRequest, _ platform: Platform) -> ResponseMessage {
    guard exchange.method == .get, let session = self.exchange(token, platform.randomness) else {
      return ResponseBuilder.page(
        PageFrame(
          screen: .error, title: "Link is no longer valid",
          content: """
            <p>A link to the start page works once. Create a new link with this command:</p>
            <pre><code>\(StartPage.newLinkCommand(exchange))</code></pre>
            <p><a href="/">Open the start page without the request list</a></p>

            """
        ).text, status: .forbidden, to: exchange)
    }
    var response = ResponseBuilder.redirect(to: "/", from: exchange)
    response.head.status = .seeOther
    let security = exchange.isSecure ? "; Secure" : ""
    response.head.headerFields.append(
      HTTPField(
        name: .setCookie,
        value:
          "\(Self.cookieName(exchange))=\(session); Path=/\(ControlInterface.root); HttpOnly; SameSite=Strict\(security)"
      ))
    return response
  }
}
