import NIOCore

/// Looks at what comes before it is read as HTTP: counts a head that does not end, and throws away what follows a refused
/// request.
final class RequestPreScreener: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// So much is thrown away for a client that must first send everything; who sends more is cut off.
  private static let mostDrained = 64 << 20

  private let connection: HTTPConnection
  private let most: Int
  private var drained = 0

  init(_ connection: HTTPConnection, most: Int) {
    self.connection = connection
    self.most = most
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let count = unwrapInboundIn(data).readableBytes
    if connection.isDraining {
      drained += count
      if drained > Self.mostDrained { context.close(promise: nil) }
      return
    }
    connection.bytesArrived(count)
    context.fireChannelRead(data)
    // A first line has no bound in the decoder, and what is no line at all has none either.
    if connection.isWithinHead, connection.headBytes > most { connection.refuse(.headTooLarge) }
  }
}
