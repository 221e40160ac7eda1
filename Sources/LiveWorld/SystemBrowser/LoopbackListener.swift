import Effects
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// A socket on this machine's loopback address that waits for one redirect. It is never bound to any other address.
final class LoopbackListener: Sendable {
  /// Where it listens, with its port.
  let address: LoopbackAddress
  private let server: any Channel
  private let connections: LoopbackConnections
  private let exchange: LoopbackExchange

  struct CannotListen: Error, Hashable {
    var explanation: String
  }

  /// Binds the address's port, or a free one where it has none.
  static func open(_ wanted: LoopbackAddress) async throws(CannotListen) -> LoopbackListener {
    let connections = LoopbackConnections()
    let exchange = LoopbackExchange()
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 16)
      // A port that was used a moment ago may be used again; one that somebody listens on may not.
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          guard connections.admit(channel) else { throw ChannelError.ioOnClosedChannel }
          let pipeline = channel.pipeline.syncOperations
          try pipeline.addHandler(LoopbackLimits())
          try pipeline.addHandler(HTTPResponseEncoder())
          try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
          try pipeline.addHandler(LoopbackRequestHandler(exchange))
        }
      }
    let server: any Channel
    do {
      server = try await bootstrap.bind(host: wanted.bindAddress, port: wanted.port ?? 0).get()
    } catch {
      throw CannotListen(explanation: Self.explanation(error, wanted))
    }
    var address = wanted
    address.port = server.localAddress?.port
    return LoopbackListener(address: address, server: server, connections: connections, exchange: exchange)
  }

  private init(
    address: LoopbackAddress, server: any Channel, connections: LoopbackConnections, exchange: LoopbackExchange
  ) {
    self.address = address
    self.server = server
    self.connections = connections
    self.exchange = exchange
  }

  deinit { server.close(promise: nil) }

  /// From now on the redirect that belongs to the visit may come.
  func expect(_ expectation: LoopbackExpectation) { exchange.expect(expectation) }

  /// Waits for the redirect; nil when the task is cancelled.
  func redirect() async -> String? { await exchange.redirect() }

  /// Stops listening and closes what is open; the port is free when this returns.
  func close() async {
    exchange.end()
    try? await server.close().get()
    await connections.closeAll()
  }

  private static func explanation(_ error: any Error, _ address: LoopbackAddress) -> String {
    let number = (error as? IOError)?.errnoCode
    let place = address.redirectURI
    return switch number {
    case EADDRINUSE:
      "port \(address.port ?? 0) is in use by another program, and the redirect URI \(place) needs it: end that "
        + "program, or register a redirect URI without a port (http://localhost)"
    case EACCES: "port \(address.port ?? 0) of \(place) may not be listened on without more rights"
    case EADDRNOTAVAIL, EAFNOSUPPORT: "this machine has no address \(address.bindAddress), which \(place) needs"
    default: "nobody can listen at \(place): \(error)"
    }
  }
}

/// The connections that are open: a browser may make some in advance and never use them.
final class LoopbackConnections: Sendable {
  private let state = Mutex<(open: [ObjectIdentifier: any Channel], isClosed: Bool)>(([:], false))
  private static let most = 64

  /// Whether one more is taken.
  func admit(_ channel: any Channel) -> Bool {
    let key = ObjectIdentifier(channel)
    let isAdmitted = state.withLock { state in
      guard !state.isClosed, state.open.count < Self.most else { return false }
      state.open[key] = channel
      return true
    }
    if isAdmitted {
      channel.closeFuture.whenComplete { [self] _ in state.withLock { _ = $0.open.removeValue(forKey: key) } }
    }
    return isAdmitted
  }

  func closeAll() async {
    let open = state.withLock { state in
      state.isClosed = true
      return Array(state.open.values)
    }
    for channel in open { try? await channel.close().get() }
  }
}
