import Documents
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// The browsers that can use a page served from this machine: the emulator's start page or the studio.
///
/// A browser gets access through a one-time link. The server exchanges the link's token for a cookie that scripts
/// cannot read and that browsers do not send with requests from other sites. Other browsers and other origins cannot
/// get the cookie.
package final class PageAccess: Sendable {
  private struct State {
    /// The tokens of links that have not been opened yet, oldest first.
    var links: [String] = []
    /// The cookie values of the browsers with access, oldest first.
    var sessions: [String] = []
  }

  /// The maximum number of unused links and the maximum number of browsers. The oldest links and browsers are removed
  /// first.
  private static let limit = 32
  /// The name of the query parameter that contains a link's token.
  package static let parameter = "token"

  private let cookie: String
  private let path: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - cookie: The prefix of the cookie's name. The port is appended to it.
  ///   - path: The path prefix of the requests that require the cookie.
  package init(cookie: String, path: String) {
    self.cookie = cookie
    self.path = path
  }

  /// Returns the path and query of a new link.
  package func newLink(_ randomness: any Randomness) -> String {
    let token = Base64URL.encode(randomness.bytes(32))
    state.withLock { Self.append(token, to: &$0.links) }
    return "/?\(Self.parameter)=\(token)"
  }

  /// Exchanges a token for the value of `Set-Cookie`. Returns nil if the token is unknown or was already exchanged.
  package func exchange(_ token: String, in request: RequestMessage, _ randomness: any Randomness) -> String? {
    let session = Base64URL.encode(randomness.bytes(32))
    let isValid = state.withLock { state in
      guard let index = state.links.firstIndex(where: { ConstantTime.equal($0, token) }) else { return false }
      state.links.remove(at: index)
      Self.append(session, to: &state.sessions)
      return true
    }
    guard isValid else { return nil }
    let security = Self.isSecure(request) ? "; Secure" : ""
    return "\(cookieName(request))=\(session); Path=\(path); HttpOnly; SameSite=Strict\(security)"
  }

  private static func append(_ value: String, to list: inout [String]) {
    if list.count >= limit { list.removeFirst() }
    list.append(value)
  }

  /// Whether the request contains the cookie of a browser that opened a link.
  package func hasCookie(_ request: RequestMessage) -> Bool {
    let name = cookieName(request)
    let values = request.head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { pair in
      let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == name ? String(parts[1]) : nil
    }
    return state.withLock { state in
      values.contains { value in state.sessions.contains { ConstantTime.equal($0, value) } }
    }
  }

  /// Whether the request comes from a page with the same origin, or from a program.
  /// - Parameter allowsAddressBar: Whether the user can also open the URL in the address bar.
  package static func isFromOwnPage(_ request: RequestMessage, allowsAddressBar: Bool) -> Bool {
    let fields = request.head.headerFields
    let base = "\(isSecure(request) ? "https" : "http")://\(request.head.authority?.lowercased() ?? "")"
    if let origin = fields[.origin], origin.lowercased() != base { return false }
    guard let site = fields[.fetchSite] else { return true }
    return site == "same-origin" || allowsAddressBar && site == "none" && request.head.method == .get
  }

  private static func isSecure(_ request: RequestMessage) -> Bool { request.head.scheme?.lowercased() != "http" }

  /// Returns the name of the cookie. Browsers share cookies between all ports of a host, so the name contains the port.
  private func cookieName(_ request: RequestMessage) -> String {
    let port = request.head.authority?.split(separator: ":").last.flatMap { UInt16($0) }
    return "\(cookie)-\(port ?? (Self.isSecure(request) ? 443 : 80))"
  }
}
