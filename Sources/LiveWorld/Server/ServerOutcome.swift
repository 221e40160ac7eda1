import Effects

/// A server's response to a request.
package enum ServerOutcome: Sendable {
  case response(ResponseMessage)
  /// A response whose body continues with `more`, which repeats until the client closes the connection.
  case endless(ResponseMessage, more: [UInt8])
  /// A response with only half of its body. Then the connection closes, so the client receives fewer bytes than
  /// `Content-Length` declares.
  case cut(ResponseMessage)
  /// No response, because the server resets the connection.
  case broken
}

/// The client of a connection.
package struct ServerPeer: Sendable {
  /// Whether the client is on this machine.
  package var isLoopback: Bool

  package init(isLoopback: Bool) {
    self.isLoopback = isLoopback
  }
}

/// A closure that returns the server's response to a request. The request contains the scheme and authority that the
/// client used.
///
/// By default, a `HEAD` request is passed as `GET`, and the server omits the body of the response (RFC 9110 §9.3.2).
package typealias RequestHandler = @Sendable (RequestMessage, ServerPeer) async -> ServerOutcome
