import Documents
import Effects
import HTTPTypes
import OAuth
import Synchronization

/// The browser that can use the studio.
///
/// The command prints a link with a token. The first browser that opens it gets a cookie that scripts cannot read and that
/// browsers do not send with requests from other sites. The token is then invalid.
final class StudioAccess: Sendable {
  /// The query parameter of the link.
  static let parameter = "token"

  private let link: Mutex<String?>
  private let session: String
  private let port: Int

  init(port: Int, randomness: any Randomness) {
    self.port = port
    link = Mutex(Base64URL.encode(randomness.bytes(32)))
    session = Base64URL.encode(randomness.bytes(32))
  }

  /// The path and query of the link, or nil after a browser has opened it.
  var linkPath: String? { link.withLock { $0 }.map { "/?\(Self.parameter)=\($0)" } }

  // Browsers share cookies between all ports of a host, so the name contains the port.
  private var cookieName: String { "authflow-studio-\(port)" }

  /// Exchanges the token of the link for the value of `Set-Cookie`. Returns nil if the token is unknown or was already
  /// exchanged.
  func exchange(_ token: String) -> String? {
    let isValid = link.withLock { link in
      guard let expected = link, ConstantTime.equal(expected, token) else { return false }
      link = nil
      return true
    }
    return isValid ? "\(cookieName)=\(session); Path=/; HttpOnly; SameSite=Strict" : nil
  }

  /// Whether the request is for this server under a local name. A web page can resolve its own host name to this machine
  /// (DNS rebinding).
  func isLocal(_ request: RequestMessage) -> Bool {
    guard let authority = request.head.authority?.lowercased() else { return false }
    return ["127.0.0.1", "localhost", "[::1]"].contains { authority == "\($0):\(port)" }
  }

  /// Whether the request comes from a page of the studio, or from the address bar.
  func isFromHere(_ request: RequestMessage) -> Bool {
    let fields = request.head.headerFields
    if let origin = fields[.origin], origin.lowercased() != "http://\(request.head.authority?.lowercased() ?? "")" {
      return false
    }
    guard let site = HTTPField.Name("sec-fetch-site").flatMap({ fields[$0] }) else { return true }
    return site == "same-origin" || site == "none" && request.head.method == .get
  }

  /// Whether the request contains the cookie.
  func hasCookie(_ request: RequestMessage) -> Bool {
    let cookies = request.head.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
    return cookies.contains { cookie in
      let parts = cookie.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
      return parts.count == 2 && parts[0] == cookieName && ConstantTime.equal(String(parts[1]), session)
    }
  }
}
