import Effects
import HTTPTypes
import NIOHTTP1

/// The head of a request, validated to prevent request smuggling.
struct RequestHead {
  var request: HTTPRequest
  /// The declared length of the body.
  var contentLength: Int?
  var keepsAlive: Bool
  var isHEAD: Bool
  var isOld: Bool
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  var waitsForLeave: Bool

  /// - Parameter ownAuthority: The address and port of the server, for HTTP/1.0 requests without a Host field.
  init(
    _ head: HTTPRequestHead, isSecure: Bool, ownAuthority: String, _ configuration: HTTPServer.Configuration
  ) throws(RequestRejection) {
    isOld = head.version == .http1_0
    guard isOld || head.version == .http1_1 else {
      throw RequestRejection(status: .httpVersionNotSupported, reason: "This server supports HTTP/1.1 and HTTP/1.0.")
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
      // RFC 9112 §3.2 requires exactly one Host field.
      throw .malformed("A request must have exactly one Host field.")
    }
    let target = try Target(head.uri, host: hosts.first ?? ownAuthority, method: head.method)
    guard configuration.serves(target.hostName) else {
      throw RequestRejection(
        status: .misdirectedRequest,
        reason: "This server does not serve the host \(target.hostName). To serve it, start the server with "
          + "--allow-host \(target.hostName).")
    }
    isHEAD = head.method == .HEAD
    guard head.method != .CONNECT,
      let method = HTTPRequest.Method(isHEAD && !configuration.passesHEAD ? "GET" : head.method.rawValue)
    else {
      throw RequestRejection(status: .notImplemented, reason: "This server is not a proxy.")
    }
    request = HTTPRequest(
      method: method, scheme: isSecure ? "https" : "http", authority: target.authority, path: target.path,
      headerFields: fields)
    // The HTTP decoder stops after a request for a protocol upgrade.
    keepsAlive = head.isKeepAlive && !head.headers.contains(name: "upgrade")
    waitsForLeave = !isOld && head.headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }

  /// The framing of the body. Requests that two parsers could frame differently are rejected (RFC 9112 §6.3).
  private struct Framing {
    private var lengths: [String] = []
    private var encodings: [String] = []

    mutating func read(_ name: HTTPField.Name, _ value: String) throws(RequestRejection) {
      if name == .contentLength { lengths.append(value) } else { encodings.append(value.lowercased()) }
    }

    func length(isOld: Bool) throws(RequestRejection) -> Int? {
      if let encoding = encodings.first {
        guard lengths.isEmpty, !isOld else {
          throw .malformed("A request must not have both Content-Length and Transfer-Encoding.")
        }
        guard encodings.count == 1, encoding == "chunked" else {
          throw RequestRejection(status: .notImplemented, reason: "The only supported Transfer-Encoding is chunked.")
        }
        return nil
      }
      guard let length = lengths.first else { return 0 }
      guard lengths.count == 1, length.utf8.allSatisfy({ (48...57).contains($0) }), let count = Int(length) else {
        throw .malformed("Content-Length is not a number.")
      }
      return count
    }
  }

  /// The target of a request (RFC 9112 §3.2): a path, or an absolute URL as in requests to proxies. The authority of a
  /// URL takes precedence over the Host field.
  private struct Target {
    var authority: String
    var path: String
    /// The host of the authority in lowercase, without the port or brackets.
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
      guard let name = Self.hostName(authority) else { throw .malformed("The request's Host field is invalid.") }
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
      // A host name can end with a dot, which represents the DNS root.
      return (name.last == "." ? name.dropLast() : name).lowercased()
    }

    /// Whether the text is empty or a colon and a port. The port may have no digits (RFC 3986 §3.2.3).
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
