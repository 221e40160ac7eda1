import Effects
import NIOHTTP1

/// A request as it came to the listener, whole.
struct LoopbackRequest: Sendable {
  var method: String
  /// As it stands in the request line.
  var target: String
  var hosts: [String]
  var contentType: String?
  var body: [UInt8] = []

  enum Verdict: Sendable {
    case refused(LoopbackReply)
    /// Somebody answered, but not to the request that is under way.
    case turnedAway(LoopbackReply, reason: String)
    case answer(url: String, page: LoopbackPage)
  }

  /// Whether this is the redirect that is awaited.
  func verdict(_ expectation: LoopbackExpectation) -> Verdict {
    let address = expectation.address
    // A foreign page may make its own name lead here (DNS rebinding), but the browser then says that name.
    guard hosts.count == 1, hosts[0].lowercased() == address.authority else {
      return .refused(LoopbackReply(.misdirectedRequest, page: .stray))
    }
    var target = self.target
    let origin = "http://" + address.authority
    if target.lowercased().hasPrefix(origin + "/") { target = String(target.dropFirst(origin.count)) }
    guard target.prefix(while: { $0 != "?" }) == address.path else {
      return .refused(LoopbackReply(.notFound, page: .stray))
    }
    var query = target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } ?? ""
    switch method {
    case "GET": break
    case "POST":
      let type = (contentType ?? "").prefix { $0 != ";" }.lowercased()
      guard type == "application/x-www-form-urlencoded" else {
        return .refused(LoopbackReply(.unsupportedMediaType, page: .stray))
      }
      let form = Self.escaped(body)
      query += (query.isEmpty || form.isEmpty ? "" : "&") + form
    // Whoever only looks gets no page, and uses nothing up.
    case "HEAD": return .refused(LoopbackReply(.ok, page: .stray))
    default: return .refused(LoopbackReply(.methodNotAllowed, page: .stray))
    }
    return judge(query, expectation)
  }

  private func judge(_ query: String, _ expectation: LoopbackExpectation) -> Verdict {
    switch expectation.answer.judge(query: query) {
    case .incomplete: return .refused(LoopbackReply(.badRequest, page: .incomplete))
    case .foreign:
      let reason = "an answer came back whose state is not the one that was sent; it was turned away"
      return .turnedAway(LoopbackReply(.badRequest, page: .foreign), reason: reason)
    case .repeated(let name):
      let reason = RedirectExpectation.explanation(ofRepeated: name) + "; it was turned away"
      return .turnedAway(LoopbackReply(.badRequest, page: .repeated), reason: reason)
    case .answer(let error, let description):
      let page: LoopbackPage =
        error.map { .refused(error: $0, description: description) }
        ?? (expectation.answer.mayBeEmpty ? .signedOut : .signedIn)
      let url = expectation.address.redirectURI.prefix { $0 != "?" }
      return .answer(url: query.isEmpty ? String(url) : url + "?" + query, page: page)
    }
  }

  /// A form's text as it may stand in an address.
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
