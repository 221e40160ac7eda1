import Effects
import HTTPTypes

/// The size limits and timeouts of a server.
package struct ServerLimits: Sendable {
  /// The maximum total size of the request line and the header, in bytes.
  package var head = 32 << 10
  /// The maximum size of a request body in bytes, unless `LargeBodies` permits more.
  package var body = 4 << 20
  /// The maximum number of open connections for each listening address. Additional connections wait.
  package var connections = 2_048
  /// The timeout for a TLS handshake, and for a request head, counted from its first byte.
  package var headTime = Duration.seconds(20)
  /// The timeout for the body of a request.
  package var bodyTime = Duration.seconds(60)
  /// The timeout for the next request to arrive, and for the client to read a response.
  package var idleTime = Duration.seconds(75)
  /// The timeout for a response after the client has closed its sending half. Until the server writes to the
  /// connection, it cannot distinguish this client from a disconnected client, which must not occupy a connection for
  /// long.
  package var hangUpTime = Duration.seconds(10)
  /// How long additional input is discarded after an error, so that the client can read the error.
  package var lingerTime = Duration.seconds(3)

  package init() {}
}

/// Larger body limits for some requests.
package struct LargeBodies: Sendable {
  /// The maximum body size of a request with this head, in bytes.
  package var limit: @Sendable (HTTPRequest) -> Int
  /// The response to a request whose body is too large. The server sends it without reading the body.
  package var refusal: @Sendable (HTTPRequest) -> ResponseMessage

  package init(
    limit: @escaping @Sendable (HTTPRequest) -> Int, refusal: @escaping @Sendable (HTTPRequest) -> ResponseMessage
  ) {
    self.limit = limit
    self.refusal = refusal
  }
}
