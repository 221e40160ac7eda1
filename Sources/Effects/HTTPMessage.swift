import HTTPTypes

/// One HTTP request or response with its whole body.
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
  /// The absolute URL, as text: `scheme://authority/path?query`.
  package var url: String {
    "\(head.scheme ?? "https")://\(head.authority ?? "")\(head.path ?? "/")"
  }

  /// A request for an absolute `http` or `https` URL; nil where the text is none.
  ///
  /// A fragment is dropped (RFC 9110 §7.1); an empty path becomes `/`.
  package init?(method: HTTPRequest.Method = .get, url: String, headers: HTTPFields = [:], body: [UInt8] = []) {
    // Cut between bytes: looking for whole characters takes many times as long.
    let bytes = url.utf8
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[colon...].starts(with: "://".utf8) else {
      return nil
    }
    let scheme = url[..<colon].lowercased()
    guard scheme == "http" || scheme == "https" else { return nil }
    let rest = bytes[colon...].dropFirst(3).prefix { $0 != UInt8(ascii: "#") }
    let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    guard !authority.isEmpty, !authority.contains(UInt8(ascii: "@")), !Self.holdsBlank(String(Substring(rest))) else {
      return nil
    }
    var path = String(Substring(rest[authority.endIndex...]))
    if path.utf8.first != UInt8(ascii: "/") { path = "/" + path }
    self.init(
      HTTPRequest(
        method: method, scheme: scheme, authority: String(Substring(authority)), path: path, headerFields: headers),
      body: body)
  }

  /// Whether a blank of any kind is in it; only where there is more than ASCII each character must be looked at.
  private static func holdsBlank(_ text: String) -> Bool {
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

/// The way to other machines, or to something that plays them: one request, one whole response, no redirects followed.
package protocol HTTPTransport: Sendable {
  /// - Throws: `TransportFailure` where no response came; an HTTP error status is a response.
  func send(_ request: RequestMessage) async throws(TransportFailure) -> ResponseMessage
}

/// Why no response came.
package enum TransportFailure: Error, Hashable, Sendable {
  /// There is no network, or no route to the host.
  case offline(String)
  /// The name of the host could not be resolved.
  case hostNotFound(String)
  /// Nobody listens there, or the connection was refused.
  case cannotConnect(String)
  /// The connection broke before the response was whole.
  case connectionLost(String)
  case timedOut(String)
  /// The server's certificate or the handshake was not acceptable.
  case tls(String)
  case proxy(String)
  /// The answer was no HTTP.
  case badResponse(String)
  /// The answer was larger than allowed, or did not end.
  case tooLong(String)
  /// Nobody was asked: a recording answers in place of the network, and it does not hold this request.
  case notRecorded(String)
  case cancelled

  /// One sentence for people.
  package var explanation: String {
    switch self {
    case .offline(let what): "no network: \(what)"
    case .hostNotFound(let what): "host not found: \(what)"
    case .cannotConnect(let what): "cannot connect: \(what)"
    case .connectionLost(let what): "the connection was lost: \(what)"
    case .timedOut(let what): "timed out: \(what)"
    case .tls(let what): "TLS failed: \(what)"
    case .proxy(let what): "the proxy refused: \(what)"
    case .badResponse(let what), .tooLong(let what): "unusable response: \(what)"
    case .notRecorded(let what): "not in the recording: \(what)"
    case .cancelled: "cancelled"
    }
  }
}
