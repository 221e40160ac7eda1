import Effects

/// What becomes of a request that a server has taken.
package enum ServerOutcome: Sendable {
  case response(ResponseMessage)
  /// A response whose body goes on with `more`, again and again, until the client hangs up.
  case endless(ResponseMessage, more: [UInt8])
  /// A response of which half the body is sent, and then the connection is closed: fewer bytes than `Content-Length` says.
  case cut(ResponseMessage)
  /// No answer: the connection is reset.
  case broken
}

/// Who is at the other end of a connection.
package struct ServerPeer: Sendable {
  /// Whether it is this machine.
  package var isLoopback: Bool

  package init(isLoopback: Bool) {
    self.isLoopback = isLoopback
  }
}

/// What a server does with each request. The request's scheme and authority are those that the client used.
///
/// A `HEAD` request arrives as `GET`: the server leaves the body of the answer out (RFC 9110 §9.3.2).
package typealias RequestHandler = @Sendable (RequestMessage, ServerPeer) async -> ServerOutcome
