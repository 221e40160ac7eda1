import NIOCore

/// A channel handler that inspects input before HTTP decoding. It limits the size of request heads and discards input
/// after a rejected request.
final class RequestPreScreener: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// The maximum amount of discarded input, in bytes. If the client sends more, the connection is closed.
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
    // The HTTP decoder does not limit the length of the first line.
    if connection.isWithinHead, connection.headBytes > most { connection.reject(.headTooLarge) }
  }
}
