import Effects
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A server that accepts HTTP and HTTPS on one port and passes all requests to a handler.
package final class HTTPServer: Sendable {
  package struct Configuration: Sendable {
    /// The address to listen on, or nil for the IPv4 and IPv6 loopback addresses.
    package var address: String?
    /// The port, or zero for any free port.
    package var port: Int
    /// The certificate and the private key, or nil for a server without HTTPS.
    package var identity: ServerIdentity?
    /// Whether the server accepts requests without TLS.
    package var plain: Bool
    package var limits = ServerLimits()
    /// Larger limits for some requests, or nil if `limits.body` applies to all.
    package var largeBodies: LargeBodies?
    /// Whether the server accepts requests for a host name, in lowercase. This protects against web pages whose host
    /// name resolves to this machine (DNS rebinding).
    package var serves: @Sendable (_ host: String) -> Bool
    /// Whether the handler receives `HEAD` requests unchanged. By default, it receives them as `GET` (RFC 9110 §9.3.2).
    package var passesHEAD = false
    /// Whether a connection can serve several requests.
    package var keepsAlive = true

    package init(
      address: String? = nil, port: Int = 0, identity: ServerIdentity? = nil, plain: Bool = true,
      largeBodies: LargeBodies? = nil,
      serves: @escaping @Sendable (_ host: String) -> Bool = { _ in true }
    ) {
      self.address = address
      self.port = port
      self.identity = identity
      self.plain = plain
      self.largeBodies = largeBodies
      self.serves = serves
    }
  }

  package struct ListenError: Error, Hashable {
    package enum Cause: Hashable, Sendable {
      case portInUse
      case notPermitted
      /// The server cannot listen on this address on any port.
      case addressUnavailable
      case other
    }

    /// A message for the user.
    package var explanation: String
    package var cause: Cause

    package init(explanation: String, cause: Cause = .other) {
      self.explanation = explanation
      self.cause = cause
    }
  }

  /// The port of the server.
  package let port: Int
  /// The IP addresses of the server.
  package let addresses: [String]
  private let listeners: [any Channel]
  private let registry: ConnectionRegistry

  private init(port: Int, addresses: [String], listeners: [any Channel], registry: ConnectionRegistry) {
    self.port = port
    self.addresses = addresses
    self.listeners = listeners
    self.registry = registry
  }

  deinit {
    for listener in listeners { listener.close(promise: nil) }
  }

  /// Starts listening. Clients can connect when this method returns.
  package static func open(
    _ configuration: Configuration, function: @escaping RequestHandler
  ) async throws(ListenError) -> HTTPServer {
    let tls: NIOSSLContext?
    do {
      tls = try configuration.identity?.context()
    } catch {
      throw ListenError(explanation: "cannot use the server's certificate: \(error)")
    }
    OpenFileLimit.raise(to: 2 * configuration.limits.connections + 256)
    let registry = ConnectionRegistry()
    let bootstrap = bootstrap(configuration, .init(tls: tls, plain: configuration.plain), registry, function)
    let (listeners, port) = try await listen(bootstrap, configuration)
    return HTTPServer(
      port: port, addresses: listeners.compactMap { $0.localAddress?.ipAddress }, listeners: listeners,
      registry: registry)
  }

  /// Stops listening, waits up to `grace` for open requests to finish, and closes all connections.
  package func stop(grace: Duration) async {
    for listener in listeners { try? await listener.close().get() }
    await registry.end(grace: grace)
  }

  private static func bootstrap(
    _ configuration: Configuration, _ offer: ProtocolDetector.Offer, _ registry: ConnectionRegistry,
    _ function: @escaping RequestHandler
  ) -> ServerBootstrap {
    let limits = configuration.limits
    return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      // Permit a port that was used recently, but not a port that has a listener.
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(ConnectionLimiter(most: limits.connections))
        }
      }
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard registry.add(channel) else { throw ChannelError.ioOnClosedChannel }
          let ownAuthority = channel.localAddress?.authority ?? "localhost"
          let peer = ServerPeer(isLoopback: channel.remoteAddress?.isLoopback ?? false)
          try channel.pipeline.syncOperations.addHandler(
            ProtocolDetector(offer: offer, limits: limits) { gate, isSecure in
              HTTPConnection(
                configuration, isSecure: isSecure, peer: peer, ownAuthority: ownAuthority, gate: gate, handler: function
              )
            })
        }
      }
  }

  private static func listen(
    _ bootstrap: ServerBootstrap, _ configuration: Configuration
  ) async throws(ListenError) -> ([any Channel], port: Int) {
    let first = configuration.address ?? "127.0.0.1"
    #if !os(Linux)
      // With SO_REUSEADDR, BSD systems bind a port on one address even if another program listens on that port on all
      // addresses.
      if configuration.port != 0, await isListening(first, configuration.port) {
        throw ListenError(
          explanation: "port \(configuration.port) is in use by another program", cause: .portInUse)
      }
    #endif
    // A port that is free for IPv4 can be in use for IPv6.
    for attempt in 1...8 {
      let listener: any Channel
      do {
        listener = try await bootstrap.bind(host: first, port: configuration.port).get()
      } catch {
        throw failure(error, first, configuration.port)
      }
      let port = listener.localAddress?.port ?? configuration.port
      guard configuration.address == nil else { return ([listener], port) }
      do {
        return ([listener, try await bootstrap.bind(host: "::1", port: port).get()], port)
      } catch {
        guard (error as? IOError)?.errnoCode == EADDRINUSE else { return ([listener], port) }
        try? await listener.close().get()
        if configuration.port != 0 || attempt == 8 {
          throw failure(error, "::1", port)
        }
      }
    }
    throw ListenError(explanation: "no port is free")
  }

  private static func isListening(_ address: String, _ port: Int) async -> Bool {
    let client = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.milliseconds(500))
    guard let channel = try? await client.connect(host: address, port: port).get() else { return false }
    try? await channel.close().get()
    return true
  }

  private static func failure(_ error: any Error, _ address: String, _ port: Int) -> ListenError {
    guard let number = (error as? IOError)?.errnoCode else {
      // All other errors come from the name lookup.
      return ListenError(explanation: "host \(address) has no known address", cause: .addressUnavailable)
    }
    return switch number {
    case EADDRINUSE: ListenError(explanation: "port \(port) is in use by another program", cause: .portInUse)
    case EACCES: ListenError(explanation: "listening on port \(port) requires more privileges", cause: .notPermitted)
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      ListenError(explanation: "this machine has no address \(address)", cause: .addressUnavailable)
    default:
      ListenError(
        explanation: "cannot listen on \(address): \(String(cString: strerror(number)))", cause: .addressUnavailable)
    }
  }
}

extension SocketAddress {
  /// The authority of a URL with this address and port. IPv6 addresses are in brackets.
  fileprivate var authority: String? {
    guard let text = ipAddress, let port else { return nil }
    // An IPv6 zone ID is valid only on this machine and is not part of a URL.
    return text.contains(":") ? "[\(text.prefix { $0 != "%" })]:\(port)" : "\(text):\(port)"
  }

  /// Whether the address is ::1 or in 127.0.0.0/8, including IPv4-mapped IPv6 addresses.
  var isLoopback: Bool {
    guard let text = ipAddress else { return false }
    return text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
  }
}
