import HTTPTypes

/// An HTTP request or response with its complete body.
package struct HTTPMessage<Head: Hashable & Sendable>: Hashable, Sendable {
  package var head: Head
  package var body: [UInt8]

  package init(_ head: Head, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }
}

package typealias RequestMessage = HTTPMessage<HTTPRequest>
package typealias ResponseMessage = HTTPMessage<HTTPResponse>

extension HTTPMessage where Head == HTTPRequest {
  /// The absolute URL: `scheme://authority/path?query`.
  package var url: String {
    "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// Creates a request for an absolute `http` or `https` URL, or returns nil for any other text.
  ///
  /// The fragment is removed (RFC 9110 §7.1). An empty path becomes `/`.
  package init?(method: HTTPRequest.Method = .get, url: String, headers: HTTPFields = [:], body: [UInt8] = []) {
    // Splits bytes, because comparing characters is many times slower.
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return nil
    }
    let scheme = url[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = bytes[colon...].dropFirst(3).prefix { $0 != UInt8(ascii: "#") }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")), !Self.containsWhitespace(String(Substring(rest)))
    else {
      return nil
    }
    var path = String(Substring(rest[authority.endIndex...]))
    if path.utf8.first != UInt8(ascii: "/") { path = "/" + path }
    self.init(
      HTTPRequest(
        method: method, scheme: scheme, authority: String(Substring(authority)), path: path, headerFields: headers),
      body: body)
  }

  /// Whether the text contains whitespace. Only text with non-ASCII characters requires checking each character.
  private static func containsWhitespace(_ text: String) -> Bool {
    text.hasByte { $0 >= 0x80 }
      ? text.contains { $0.isWhitespace }
      : text.hasByte { $0 == 0x20 || (0x09...0x0D).contains($0) }
  }
}

extension HTTPMessage where Head == HTTPResponse {
  package init(_ status: HTTPResponse.Status, headers: HTTPFields = [:], body: [UInt8] = []) {
    self.init(HTTPResponse(status: status, headerFields: headers), body: body)
  }
}

/// A transport that sends one request and returns one complete response, without following redirects.
package protocol HTTPTransport: Sendable {
  /// - Throws: `TransportFailure` if there was no response. An HTTP error status is a response.
  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage
}

/// The reason why a request got no response.
package enum TransportFailure: Error, Hashable, Sendable {
  /// There is no network, or no route to the host.
  case offline(String)
  /// The host name could not be resolved.
  case hostNotFound(String)
  /// Nothing listens on the port, or the connection was refused.
  case cannotConnect(String)
  /// The connection was closed before the response was complete.
  case connectionLost(String)
  case timedOut(String)
  /// The certificate is invalid, or the handshake failed.
  case tls(String)
  case proxy(String)
  /// The response is not valid HTTP.
  case badResponse(String)
  /// The response is larger than allowed, or does not end.
  case tooLong(String)
  /// The run replays a recording that does not contain this request. Nothing was sent.
  case notRecorded(String)
  case canceled

  /// A one-line description for users.
  package var explanation: String {
    switch self {
    case .offline(let detail): "no network: \(detail)"
    case .hostNotFound(let detail): "host not found: \(detail)"
    case .cannotConnect(let detail): "cannot connect: \(detail)"
    case .connectionLost(let detail): "connection lost: \(detail)"
    case .timedOut(let detail): "timed out: \(detail)"
    case .tls(let detail): "TLS error: \(detail)"
    case .proxy(let detail): "proxy error: \(detail)"
    case .badResponse(let detail), .tooLong(let detail): "invalid response: \(detail)"
    case .notRecorded(let reason): reason
    case .canceled: "canceled"
    }
  }
}
