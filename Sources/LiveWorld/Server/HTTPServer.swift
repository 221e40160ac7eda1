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

/// A server over one function, for HTTP and HTTPS on one port.
package final class HTTPServer: Sendable {
  package struct Configuration: Sendable {
    /// The addresses to listen on; nil is the loopback address, in both versions of IP where the machine has them.
    package var address: String?
    /// Zero for a port that is free.
    package var port: Int
    /// Nil where there is no HTTPS.
    package var identity: ServerIdentity?
    /// Whether requests without TLS are answered too.
    package var plain: Bool
    package var limits: ServerLimits
    /// Nil if `limits.body` holds for every request.
    package var largeBodies: LargeBodies?
    /// Whether requests for a host name, in lower case, are answered. A page of the web whose host name leads to this
    /// machine (DNS rebinding) is kept out by it.
    package var serves: @Sendable (_ host: String) -> Bool

    package init(
      address: String? = nil, port: Int = 0, identity: ServerIdentity? = nil, plain: Bool = true,
      limits: ServerLimits = ServerLimits(), largeBodies: LargeBodies? = nil,
      serves: @escaping @Sendable (_ host: String) -> Bool = { _ in true }
    ) {
      self.address = address
      self.port = port
      self.identity = identity
      self.plain = plain
      self.limits = limits
      self.largeBodies = largeBodies
      self.serves = serves
    }
  }

  package struct ListenError: Error, Hashable {
    /// One sentence for people.
    package var explanation: String
    /// Whether the address is what cannot be listened on, whatever the port.
    package var isAddressAtFault: Bool

    package init(explanation: String, isAddressAtFault: Bool = false) {
      self.explanation = explanation
      self.isAddressAtFault = isAddressAtFault
    }
  }

  /// The port that it listens on.
  package let port: Int
  /// The addresses that it listens on.
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

  /// Listens; when this returns, clients can connect.
  package static func open(
    _ configuration: Configuration, function: @escaping RequestHandler
  ) async throws(ListenError) -> HTTPServer {
    let tls: NIOSSLContext?
    do {
      tls = try configuration.identity?.context()
    } catch {
      throw ListenError(explanation: "the server's certificate cannot be used: \(error)")
    }
    OpenFileLimit.raise(to: 2 * configuration.limits.connections + 256)
    let registry = ConnectionRegistry()
    let bootstrap = bootstrap(configuration, .init(tls: tls, plain: configuration.plain), registry, function)
    let (listeners, port) = try await listen(bootstrap, configuration)
    return HTTPServer(
      port: port, addresses: listeners.compactMap { $0.localAddress?.ipAddress }, listeners: listeners,
      registry: registry)
  }

  /// Stops listening, lets open requests finish for as long as `grace` lasts, and closes every connection.
  package func stop(grace: Duration) async {
    for listener in listeners { try? await listener.close().get() }
    await registry.end(grace: grace)
  }

  private static func bootstrap(
    _ configuration: Configuration, _ offer: ProtocolDetector.Offer, _ registry: ConnectionRegistry,
    _ function: @escaping RequestHandler
  ) -> ServerBootstrap {
    let limits = configuration.limits
    let largeBodies = configuration.largeBodies
    let serves = configuration.serves
    return ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 1_024)
      // A port that was used a moment ago may be used again; one that somebody listens on may not.
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
                limits: limits, largeBodies: largeBodies, isSecure: isSecure, peer: peer, ownAuthority: ownAuthority,
                serves: serves, gate: gate, function: function)
            })
        }
      }
  }

  private static func listen(
    _ bootstrap: ServerBootstrap, _ configuration: Configuration
  ) async throws(ListenError) -> ([any Channel], port: Int) {
    let first = configuration.address ?? "127.0.0.1"
    // A port that is free in one version of IP may be taken in the other.
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

  private static func failure(_ error: any Error, _ address: String, _ port: Int) -> ListenError {
    guard let number = (error as? IOError)?.errnoCode else {
      // What is no system's error comes from looking the name up.
      return ListenError(explanation: "no address is known for the host \(address)", isAddressAtFault: true)
    }
    return switch number {
    case EADDRINUSE: ListenError(explanation: "port \(port) is in use by another program")
    case EACCES: ListenError(explanation: "port \(port) may not be listened on without more rights")
    case EADDRNOTAVAIL, EAFNOSUPPORT:
      ListenError(explanation: "this machine has no address \(address)", isAddressAtFault: true)
    default:
      ListenError(
        explanation: "\(address) cannot be listened on: \(String(cString: strerror(number)))", isAddressAtFault: true)
    }
  }
}

extension SocketAddress {
  /// As the authority of a URL: the address, in brackets where it is IPv6's, and the port.
  fileprivate var authority: String? {
    guard let text = ipAddress, let port else { return nil }
    // A zone is this machine's own matter, and no part of a name.
    return text.contains(":") ? "[\(text.prefix { $0 != "%" })]:\(port)" : "\(text):\(port)"
  }

  /// Whether it is this machine: 127.0.0.0/8, also as IPv6 writes it, or ::1.
  var isLoopback: Bool {
    guard let text = ipAddress else { return false }
    return text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.")
  }
}
