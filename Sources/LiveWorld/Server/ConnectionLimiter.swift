import NIOCore

/// A channel handler that limits the number of open connections. Additional connections wait in the system's queue.
final class ConnectionLimiter: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias OutboundIn = Never

  private let most: Int
  private var open = 0
  private var isWaiting = false

  init(most: Int) {
    self.most = most
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    open += 1
    let bound = NIOLoopBound((gate: self, context: context), eventLoop: context.eventLoop)
    unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).whenComplete { _ in
      let (gate, context) = bound.value
      gate.open -= 1
      guard gate.isWaiting, gate.open < gate.most else { return }
      gate.isWaiting = false
      context.read()
    }
    context.fireChannelRead(data)
  }

  func read(context: ChannelHandlerContext) {
    guard open < most else {
      isWaiting = true
      return
    }
    context.read()
  }
}
