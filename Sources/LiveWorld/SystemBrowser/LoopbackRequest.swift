import Effects
import HTTPTypes

/// A request to the loopback server.
struct LoopbackRequest: Sendable {
  private let message: RequestMessage

  init(_ message: RequestMessage) {
    self.message = message
  }

  enum Result: Sendable {
    case refused(Int, page: LoopbackPage)
    /// A redirect that does not belong to the current sign-in.
    case turnedAway(page: LoopbackPage, reason: String)
    case redirect(url: String, page: LoopbackPage)
  }

  /// Returns the page to show, and the URL if the request is the expected redirect.
  func result(for expectation: LoopbackExpectation) -> Result {
    let address = expectation.address
    // In a DNS rebinding attack, the host name of a web page resolves to this machine, but the browser still sends the
    // page's host name.
    guard message.head.authority?.lowercased() == address.authority else { return .refused(421, page: .stray) }
    let target = message.head.path ?? ""
    guard target.prefix(while: { $0 != "?" }) == address.path else { return .refused(404, page: .stray) }
    var query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } ?? ""
    switch message.head.method {
    case .get: break
    case .post:
      let type = (message.head.headerFields[.contentType] ?? "").prefix { $0 != ";" }.lowercased()
      guard type == "application/x-www-form-urlencoded" else { return .refused(415, page: .stray) }
      let form = Self.escaped(message.body)
      query += (query.isEmpty || form.isEmpty ? "" : "&") + form
    // A link preview or scanner must not consume the redirect.
    case .head: return .refused(200, page: .stray)
    default: return .refused(405, page: .stray)
    }
    return evaluate(query, expectation)
  }

  private func evaluate(_ query: String, _ expectation: LoopbackExpectation) -> Result {
    switch expectation.answer.evaluate(query: query) {
    case .incomplete: return .refused(400, page: .incomplete)
    case .wrongState:
      return .turnedAway(
        page: .foreign, reason: "rejected a redirect whose state differs from the state of the request")
    case .repeated(let name):
      return .turnedAway(
        page: .repeated, reason: "rejected a redirect: " + RedirectExpectation.explanation(ofRepeated: name))
    case .response(let error, let description):
      let page: LoopbackPage =
        error.map { .refused(error: $0, description: description) }
        ?? (expectation.answer.mayBeEmpty ? .signedOut : .signedIn)
      let url = expectation.address.redirectURI.prefix { $0 != "?" }
      return .redirect(url: query.isEmpty ? String(url) : url + "?" + query, page: page)
    }
  }

  /// Percent-encodes the characters in a form body that a URL cannot contain, and removes line breaks.
  private static func escaped(_ body: [UInt8]) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in body {
      if byte > 0x20, byte < 0x7F, byte != UInt8(ascii: "#") {
        text.append(byte)
      } else if byte != 0x0D, byte != 0x0A {
        text += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
