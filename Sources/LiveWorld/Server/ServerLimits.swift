import Effects
import HTTPTypes

/// How much a client may ask of a server, and how long it may take.
package struct ServerLimits: Sendable {
  /// The most bytes of a request's first line and header together.
  package var head = 32 << 10
  /// The most bytes of a request's body, unless `LargeBodies` allows more.
  package var body = 4 << 20
  /// The most connections that are open at once, per listening address; further ones wait until one is closed.
  package var connections = 2_048
  /// How long a TLS handshake and a request's head may take, from the first byte or from the connection's begin.
  package var headTime = Duration.seconds(20)
  /// How long a request's body may take.
  package var bodyTime = Duration.seconds(60)
  /// How long a connection may wait for the next request, or for the client to take an answer.
  package var idleTime = Duration.seconds(75)
  /// How long a client that sends nothing more is still owed an answer. Who hung up looks the same until it is written to,
  /// and must not hold a connection for as long as an answer may take.
  package var hangUpTime = Duration.seconds(10)
  /// How long the rest of a request is read and thrown away after it was refused, so that the client can read why.
  package var lingerTime = Duration.seconds(3)

  package init() {}
}

/// How a server treats requests whose bodies are larger than `ServerLimits.body`.
package struct LargeBodies: Sendable {
  /// The most bytes of the body of a request with this head.
  package var limit: @Sendable (HTTPRequest) -> Int
  /// The response to a request with a larger body. The server sends it without reading the body.
  package var refusal: @Sendable (HTTPRequest) -> ResponseMessage

  package init(
    limit: @escaping @Sendable (HTTPRequest) -> Int, refusal: @escaping @Sendable (HTTPRequest) -> ResponseMessage
  ) {
    self.limit = limit
    self.refusal = refusal
  }
}
