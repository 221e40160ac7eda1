import Effects
import HTTPTypes
import NIOHTTP1

/// Reads the head of a request: what it is for, and whether it can be trusted to be one request.
struct RequestHead {
  var request: HTTPRequest
  /// The body's length where it is announced.
  var contentLength: Int?
  var keepsAlive: Bool
  var isHEAD: Bool
  var isOld: Bool
  /// Whether the client waits for leave to send the body (RFC 9110 §10.1.1).
  var waitsForLeave: Bool

  /// - Parameter ownAuthority: the address and port that the client reached, for one of HTTP/1.0 that names no Host.
  init(
    _ head: HTTPRequestHead, isSecure: Bool, ownAuthority: String, serves: (_ host: String) -> Bool
  ) throws(RequestRejection) {
    isOld = head.version == .http1_0
    guard isOld || head.version == .http1_1 else {
      throw RequestRejection(status: .httpVersionNotSupported, reason: "HTTP/1.1 and HTTP/1.0 are spoken here.")
    }
    var framing = Framing()
    var hosts: [String] = []
    var fields = HTTPFields()
    fields.reserveCapacity(head.headers.count)
    for (name, value) in head.headers {
      guard let name = HTTPField.Name(name) else { throw .malformed("A header field has no name.") }
      switch name {
      case .hostName: hosts.append(value)
      case .contentLength, .transferEncoding: try framing.read(name, value)
      default: fields.append(HTTPField(name: name, value: value))
      }
    }
    contentLength = try framing.length(isOld: isOld)
    guard hosts.count <= 1, isOld || hosts.count == 1 else {
      // RFC 9112 §3.2: neither none nor two.
      throw .malformed("A request has one Host.")
    }
    let target = try Target(head.uri, host: hosts.first ?? ownAuthority, method: head.method)
    guard serves(target.hostName) else {
      throw RequestRejection(
        status: .misdirectedRequest,
        reason: "This server does not answer for the host \(target.hostName). If it should, start it with "
          + "--allow-host \(target.hostName).")
    }
    isHEAD = head.method == .HEAD
    guard head.method != .CONNECT, let method = HTTPRequest.Method(isHEAD ? "GET" : head.method.rawValue) else {
      throw RequestRejection(status: .notImplemented, reason: "This server is no proxy.")
    }
    request = HTTPRequest(
      method: method, scheme: isSecure ? "https" : "http", authority: target.authority, path: target.path,
      headerFields: fields)
    // After a request that wants another protocol the decoder reads no further one.
    keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
    waitsForLeave = !isOld && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }

  /// How the end of the body is told. What two readers could understand differently is refused (RFC 9112 §6.3).
  private struct Framing {
    private var lengths: [String] = []
    private var encodings: [String] = []

    mutating func read(_ name: HTTPField.Name, _ value: String) throws(RequestRejection) {
      if name == .contentLength { lengths.append(value) } else { encodings.append(value.lowercased()) }
    }

    func length(isOld: Bool) throws(RequestRejection) -> Int? {
      if let encoding = encodings.first {
        guard lengths.isEmpty, !isOld else {
          throw .malformed("A request has either Content-Length or Transfer-Encoding.")
        }
        guard encodings.count == 1, encoding == "chunked" else {
          throw RequestRejection(status: .notImplemented, reason: "The only Transfer-Encoding known here is chunked.")
        }
        return nil
      }
      guard let length = lengths.first else { return 0 }
      guard lengths.count == 1, length.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(length) else {
        throw .malformed("Content-Length is no number.")
      }
      return count
    }
  }

  /// Where a request goes (RFC 9112 §3.2): a path, or an absolute URL as proxies get it, whose authority then counts.
  private struct Target {
    var authority: String
    var path: String
    /// The authority's host in lower case, without port and brackets.
    var hostName: String

    init(_ uri: String, host: String, method: NIOHTTP1.HTTPMethod) throws(RequestRejection) {
      authority = host
      if uri.utf8.first == UInt8(ascii: "/") {
        path = uri
      } else if uri == "*", method == .OPTIONS {
        path = "/"
      } else {
        guard let whole = RequestMessage(url: uri), let named = whole.head.authority, let path = whole.head.path else {
          throw .malformed("The request's target is neither a path nor an http URL.")
        }
        authority = named
        self.path = path
      }
      guard let name = Self.hostName(authority) else { throw .malformed("The request's Host is none.") }
      hostName = name
    }

    private static func hostName(_ authority: String) -> String? {
      let text = authority.utf8
      let isPlain = text.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
          true
        default: false
        }
      }
      guard isPlain, !text.isEmpty else { return nil }
      if text.first == UInt8(ascii: "[") {
        guard let end = authority.firstIndex(of: "]") else { return nil }
        let rest = authority[authority.index(after: end)...]
        guard isPort(rest) else { return nil }
        return authority[authority.index(after: authority.startIndex)..<end].lowercased()
      }
      let name = authority.prefix { $0 != ":" }
      guard !name.isEmpty, !authority.contains("["), !authority.contains("]"),
        isPort(authority[name.endIndex...])
      else { return nil }
      // A name may end in the root's dot.
      return (name.last == "." ? name.dropLast() : name).lowercased()
    }

    /// Whether a text is what may follow a host: nothing, or a colon and a number (RFC 3986 §3.2.3: also no digit at all).
    private static func isPort(_ text: Substring) -> Bool {
      guard let first = text.first else { return true }
      let digits = text.dropFirst()
      return first == ":" && digits.utf8.allSatisfy { (48...57).contains($0) }
        && (digits.isEmpty || UInt16(digits) != nil)
    }
  }
}

extension HTTPField.Name {
  fileprivate static let hostName = HTTPField.Name("host") ?? .contentLocation
}
