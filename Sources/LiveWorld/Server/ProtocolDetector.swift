import NIOCore
import NIOSSL

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The outermost handler of a connection. It uses the first byte to detect TLS, and it can reset the connection.
///
/// A TLS client starts with a handshake record, whose first byte is 22 (RFC 8446 §5.1). No HTTP method starts with that
/// byte.
final class ProtocolDetector: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  /// The protocols that a listener accepts.
  struct Offer: Sendable {
    /// The TLS configuration, or nil for HTTP only.
    var tls: NIOSSLContext?
    var plain: Bool
  }

  private let offer: Offer
  private let makeConnection: (_ gate: ProtocolDetector, _ isSecure: Bool) -> HTTPConnection
  private let limits: ServerLimits
  private var isDecided = false
  private var context: ChannelHandlerContext?
  private var timer: ConnectionTimer?

  init(
    offer: Offer, limits: ServerLimits,
    makeConnection: @escaping (_ gate: ProtocolDetector, _ isSecure: Bool) -> HTTPConnection
  ) {
    self.offer = offer
    self.limits = limits
    self.makeConnection = makeConnection
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let timer = ConnectionTimer(limits: limits) { [weak self] in self?.context?.close(promise: nil) }
    timer.start(on: context.eventLoop)
    timer.set(limits.headTime)
    self.timer = timer
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    stopTimer()
    self.context = nil
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopTimer()
    context.fireChannelInactive()
  }

  /// Stops the handshake timer. From now on, the connection uses its own timer.
  func stopTimer() {
    timer?.stop()
    timer = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if !isDecided {
      guard let first = unwrapInboundIn(data).readableBytesView.first else { return }
      isDecided = true
      do {
        try decide(isHandshake: first == 22, context)
      } catch {
        context.close(promise: nil)
        return
      }
    }
    context.fireChannelRead(data)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    let isEnd = event is ConnectionRegistry.DrainRequest || event as? ChannelEvent == .inputClosed
    if !isDecided, isEnd {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  private func decide(isHandshake: Bool, _ context: ChannelHandlerContext) throws {
    let pipeline = context.pipeline.syncOperations
    if isHandshake {
      guard let tls = offer.tls else { throw ChannelError.ioOnClosedChannel }
      try pipeline.addHandler(NIOSSLServerHandler(context: tls))
    }
    let connection = makeConnection(self, isHandshake)
    connection.rejectsPlainHTTP = !isHandshake && !offer.plain
    try connection.install(in: pipeline)
  }

  /// Resets the connection as a crashed machine would, without a TLS close notification.
  func reset() {
    guard let context else { return }
    let options = context.channel as? any SocketOptionProvider
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    guard let set = options?.setSoLinger(linger(l_onoff: 1, l_linger: 0)) else {
      context.close(promise: nil)
      return
    }
    set.whenComplete { _ in bound.value.close(promise: nil) }
  }
}
