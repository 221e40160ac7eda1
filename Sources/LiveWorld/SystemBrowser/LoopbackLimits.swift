import NIOCore

/// Ends a connection that sends too much or lives too long.
final class LoopbackLimits: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// A sign-in's answer has a few thousand bytes; a form post with an ID token perhaps ten thousand.
  static let mostBytes = 128 << 10
  static let longestLife = TimeAmount.seconds(30)

  private var received = 0
  private var end: Scheduled<Void>?

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    end = context.eventLoop.scheduleTask(in: Self.longestLife) { channel.close(promise: nil) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    received += unwrapInboundIn(data).readableBytes
    guard received <= Self.mostBytes else {
      context.close(promise: nil)
      return
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    end?.cancel()
    context.fireChannelInactive()
  }
}
