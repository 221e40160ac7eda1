import Effects

/// A server on the loopback address that waits for one redirect. It never binds any other address.
final class LoopbackListener: Sendable {
  /// The redirect address, including the port.
  let address: LoopbackAddress
  private let server: HTTPServer
  private let exchange: LoopbackExchange

  struct CannotListen: Error, Hashable {
    var explanation: String
  }

  /// Binds the port of the address, or a free port if the address has no port.
  static func open(_ wanted: LoopbackAddress) async throws(CannotListen) -> LoopbackListener {
    let exchange = LoopbackExchange()
    var configuration = HTTPServer.Configuration(address: wanted.bindAddress, port: wanted.port ?? 0)
    configuration.limits = limits
    configuration.passesHEAD = true
    configuration.keepsAlive = false
    let server: HTTPServer
    do {
      server = try await HTTPServer.open(configuration) { request, _ in .response(exchange.response(to: request)) }
    } catch {
      throw CannotListen(explanation: Self.explanation(error, wanted))
    }
    var address = wanted
    address.port = server.port
    return LoopbackListener(address: address, server: server, exchange: exchange)
  }

  /// A sign-in response is a few kilobytes long. A form post with an ID token can reach ten kilobytes. A browser opens
  /// a few connections in advance.
  private static let limits: ServerLimits = {
    var limits = ServerLimits()
    limits.head = 128 << 10
    limits.body = 64 << 10
    limits.connections = 64
    limits.bodyTime = .seconds(20)
    limits.idleTime = .seconds(30)
    return limits
  }()

  private init(address: LoopbackAddress, server: HTTPServer, exchange: LoopbackExchange) {
    self.address = address
    self.server = server
    self.exchange = exchange
  }

  /// Starts accepting the visit's redirect.
  func expect(_ expectation: LoopbackExpectation) { exchange.expect(expectation) }

  /// Waits for the redirect.
  /// - Returns: The URL of the redirect, or nil if the task is canceled.
  func redirect() async -> String? { await exchange.redirect() }

  /// Stops listening. The browser still receives the page for the redirect. The port is free when this method returns.
  func close() async {
    exchange.end()
    await server.stop(grace: .seconds(2))
  }

  private static func explanation(_ error: HTTPServer.ListenError, _ address: LoopbackAddress) -> String {
    let uri = address.redirectURI
    return switch error.cause {
    case .portInUse:
      "port \(address.port ?? 0) is in use by another program, and the redirect URI \(uri) requires it: stop that "
        + "program, or register a redirect URI without a port (http://localhost)"
    case .notPermitted: "listening on port \(address.port ?? 0) of \(uri) requires more privileges"
    case .addressUnavailable: "this machine has no address \(address.bindAddress), which \(uri) requires"
    case .other: "cannot listen on \(uri): \(error.explanation)"
    }
  }
}
