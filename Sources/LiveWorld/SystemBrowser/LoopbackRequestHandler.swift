import NIOCore
import NIOHTTP1

/// An answer to a request at the listener.
struct LoopbackReply: Sendable {
  var status: HTTPResponseStatus
  var page: LoopbackPage
  /// Called when the page is with the browser, or cannot be.
  var sent: @Sendable () -> Void

  init(_ status: HTTPResponseStatus, page: LoopbackPage, sent: @escaping @Sendable () -> Void = {}) {
    self.status = status
    self.page = page
    self.sent = sent
  }
}

/// Reads one request of a connection, answers it, and closes.
final class LoopbackRequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let exchange: LoopbackExchange
  private var request: LoopbackRequest?
  private var isOver = false

  /// A posted answer holds a code and a state, perhaps an ID token.
  private static let largestBody = 64 << 10

  init(_ exchange: LoopbackExchange) {
    self.exchange = exchange
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      request = LoopbackRequest(
        method: head.method.rawValue, target: head.uri, hosts: head.headers["host"],
        contentType: head.headers.first(name: "content-type"))
    case .body(let part):
      request?.body += Array(part.readableBytesView)
      guard (request?.body.count ?? 0) <= Self.largestBody else {
        return answer(LoopbackReply(.payloadTooLarge, page: .stray), isHead: false, context)
      }
    case .end:
      guard let request else { return }
      answer(exchange.reply(to: request), isHead: request.method == "HEAD", context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard error is HTTPParserError, !isOver else {
      context.close(promise: nil)
      return
    }
    answer(LoopbackReply(.badRequest, page: .stray), isHead: false, context)
  }

  private func answer(_ reply: LoopbackReply, isHead: Bool, _ context: ChannelHandlerContext) {
    isOver = true
    let page = context.channel.allocator.buffer(string: reply.page.html)
    var headers = HTTPHeaders(LoopbackPage.headers)
    headers.add(name: "Content-Length", value: "\(page.readableBytes)")
    headers.add(name: "Connection", value: "close")
    if reply.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD, POST") }
    context.write(
      wrapOutboundOut(.head(.init(version: .http1_1, status: reply.status, headers: headers))), promise: nil)
    if !isHead { context.write(wrapOutboundOut(.body(.byteBuffer(page))), promise: nil) }
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      // Half-closed: what the browser still sends must not make the system take the page back.
      channel.close(mode: .output, promise: nil)
      reply.sent()
    }
  }
}
