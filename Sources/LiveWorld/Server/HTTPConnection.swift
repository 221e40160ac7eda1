import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1

/// A client connection. It passes requests to the server's handler one at a time and responds in order.
final class HTTPConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    /// The connection is waiting for a request head or reading it.
    case head
    case body
    /// The handler is processing the request.
    case responding
    /// The connection is sending an unbounded response body.
    case streaming
    /// The last response was sent. Additional input is discarded until the client closes the connection.
    case draining
  }

  private enum Input {
    case part(HTTPServerRequestPart)
    case fault(RequestRejection)
  }

  private let configuration: HTTPServer.Configuration
  private var limits: ServerLimits { configuration.limits }
  private let isSecure: Bool
  private let peer: ServerPeer
  private let ownAuthority: String
  private let handler: RequestHandler
  private let gate: ProtocolDetector
  private lazy var timer = ConnectionTimer(limits: limits) { [weak self] in self?.timeIsUp() }
  private var lingering: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// Whether requests without TLS are rejected with an error.
  var rejectsPlainHTTP = false
  private var phase = Phase.head
  /// The input that arrived while the handler processed a request.
  private var waiting = CircularBuffer<Input>(initialCapacity: 4)
  private var isProcessing = false
  private var isReading = false
  private var needsFlush = false
  private var withholdsRead = false
  private var isEnding = false
  private var head: RequestHead?
  private var body: ByteBuffer?
  /// The maximum size of the current request body, in bytes.
  private var bodyLimit = 0
  private var task: Task<Void, Never>?
  /// The size of the incomplete head that has arrived so far, in bytes.
  private(set) var headBytes = 0
  /// Whether all input so far is part of an incomplete head.
  var isWithinHead: Bool { phase == .head && waiting.isEmpty }

  /// - Parameter ownAuthority: The authority to use for HTTP/1.0 requests without a Host field.
  init(
    _ configuration: HTTPServer.Configuration, isSecure: Bool, peer: ServerPeer, ownAuthority: String,
    gate: ProtocolDetector, handler: @escaping RequestHandler
  ) {
    self.configuration = configuration
    self.isSecure = isSecure
    self.peer = peer
    self.ownAuthority = ownAuthority
    self.gate = gate
    self.handler = handler
  }

  /// Adds the connection and its decoders to the end of a pipeline.
  func install(in pipeline: ChannelPipeline.SynchronousOperations) throws {
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = limits.head
    decoding.maxHeaderListSize = limits.head
    try pipeline.addHandler(RequestPreScreener(self, most: limits.head))
    try pipeline.addHandler(
      ByteToMessageHandler(
        HTTPRequestDecoder(
          leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .drop, limitConfiguration: decoding)))
    try pipeline.addHandler(self)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    timer.start(on: context.eventLoop)
  }

  func handlerRemoved(context: ChannelHandlerContext) { end() }

  func channelInactive(context: ChannelHandlerContext) {
    end()
    context.fireChannelInactive()
  }

  private func end() {
    timer.stop()
    lingering?.cancel()
    lingering = nil
    task?.cancel()
    task = nil
    waiting.removeAll()
    context = nil
  }

  // MARK: What comes in

  var isDraining: Bool { phase == .draining }

  func bytesArrived(_ count: Int) {
    guard phase == .head, waiting.isEmpty else { return }
    if headBytes == 0 {
      gate.stopTimer()
      timer.set(limits.headTime)
    }
    headBytes += count
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    isReading = true
    waiting.append(.part(unwrapInboundIn(data)))
    process()
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    isReading = false
    flushIfNeeded()
    context.fireChannelReadComplete()
  }

  func read(context: ChannelHandlerContext) {
    // Backpressure makes a client wait if it sends requests faster than it reads responses.
    if isReady || isDraining { context.read() } else { withholdsRead = true }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    process()
    context.fireChannelWritabilityChanged()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let failure = error as? HTTPParserError else {
      context.close(promise: nil)
      return
    }
    let rejection =
      failure == .headerOverflow ? RequestRejection.headTooLarge : .malformed("This is not an HTTP request.")
    waiting.append(.fault(rejection))
    process()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ConnectionRegistry.DrainRequest:
      isEnding = true
      let isIdle = phase == .head && headBytes == 0 && waiting.isEmpty
      if isIdle || phase == .streaming || phase == .draining { context.close(promise: nil) }
    case ChannelEvent.inputClosed:
      // The client has finished sending, but may still be waiting for the response.
      isEnding = true
      switch phase {
      case .responding, .streaming: timer.set(limits.hangUpTime)
      case .head, .body, .draining: context.close(promise: nil)
      }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func timeIsUp() {
    switch phase {
    case .head where headBytes > 0, .body: reject(.tooSlow)
    case .head, .streaming: context?.close(promise: nil)
    // The client has disconnected. Closing the connection cancels the handler's task.
    case .responding: context?.close(promise: nil)
    case .draining: break
    }
  }

  // MARK: One request after the other

  private var isReady: Bool { (phase == .head || phase == .body) && (context?.channel.isWritable ?? false) }

  private func process() {
    // Synchronous responses call this method again. A loop avoids recursion.
    guard !isProcessing else { return }
    isProcessing = true
    while isReady, let input = waiting.popFirst() {
      switch input {
      case .part(let part): take(part)
      case .fault(let rejection): reject(rejection)
      }
    }
    isProcessing = false
    if withholdsRead, isReady || isDraining {
      withholdsRead = false
      context?.read()
    }
  }

  private func take(_ part: HTTPServerRequestPart) {
    switch part {
    case .head(let head): begin(head)
    case .body(var bytes):
      let count = (body?.readableBytes ?? 0) + bytes.readableBytes
      if let head {
        do throws(RequestRejection) { try check(bodySize: count, of: head) } catch { return reject(error) }
      }
      if body == nil { body = bytes } else { body?.writeBuffer(&bytes) }
    case .end: answer()
    }
  }

  private func begin(_ head: HTTPRequestHead) {
    headBytes = 0
    phase = .body
    timer.set(limits.bodyTime)
    bodyLimit = limits.body
    guard !rejectsPlainHTTP else { return reject(.plain) }
    do throws(RequestRejection) {
      let request = try RequestHead(head, isSecure: isSecure, ownAuthority: ownAuthority, configuration)
      try check(bodySize: request.contentLength ?? 0, of: request)
      if request.waitsForLeave, request.contentLength != 0, let context {
        context.writeAndFlush(
          wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
      }
      self.head = request
    } catch {
      reject(error)
    }
  }

  private func check(bodySize: Int, of head: RequestHead) throws(RequestRejection) {
    guard bodySize > bodyLimit else { return }
    guard let largeBodies = configuration.largeBodies else { throw .bodyTooLarge }
    bodyLimit = max(bodyLimit, largeBodies.limit(head.request))
    guard bodySize > bodyLimit else { return }
    var rejection = RequestRejection.bodyTooLarge
    rejection.response = largeBodies.refusal(head.request)
    throw rejection
  }

  private func answer() {
    guard let head, let context else { return }
    phase = .responding
    timer.set(nil)
    let request = RequestMessage(head.request, body: body.map { Array($0.readableBytesView) } ?? [])
    body = nil
    let eventLoop = context.eventLoop
    let connection = NIOLoopBound(self, eventLoop: eventLoop)
    let work = { @Sendable [handler, peer] in
      let outcome = await handler(request, peer)
      if eventLoop.inEventLoop {
        connection.value.deliver(outcome)
      } else {
        eventLoop.execute { connection.value.deliver(outcome) }
      }
    }
    // Most responses are ready without suspending. An immediate task sends them without leaving the event loop.
    if #available(macOS 26, iOS 26, *) {
      task = Task.immediate { await work() }
    } else {
      task = Task { await work() }
    }
  }

  // MARK: What goes out

  private func deliver(_ outcome: ServerOutcome) {
    guard let context, let head, phase == .responding else { return }
    switch outcome {
    case .broken: gate.reset()
    case .response(let response):
      let keepsAlive = configuration.keepsAlive && head.keepsAlive && !isEnding
      let hasBody = !head.isHEAD && !ResponseBytes.hasNoLength(response.head.status)
      var buffer = context.channel.allocator.buffer(capacity: 1_024 + (hasBody ? response.body.count : 0))
      ResponseBytes.write(
        response.head, ending: .length(response.body.count), keepsAlive: keepsAlive, to: &buffer)
      if hasBody { buffer.writeBytes(response.body) }
      self.head = nil
      if keepsAlive {
        phase = .head
        timer.set(limits.idleTime)
        context.write(wrapOutboundOut(buffer), promise: nil)
        needsFlush = true
        if !isReading { flushIfNeeded() }
        process()
      } else {
        close(after: buffer, isWhole: true)
      }
    case .cut(let response):
      var buffer = context.channel.allocator.buffer(capacity: 1_024 + response.body.count)
      ResponseBytes.write(response.head, ending: .length(response.body.count), keepsAlive: false, to: &buffer)
      if !head.isHEAD { buffer.writeBytes(response.body.prefix(response.body.count / 2)) }
      self.head = nil
      close(after: buffer, isWhole: true)
    case .endless(let response, let more): stream(response, more, to: head)
    }
  }

  private func flushIfNeeded() {
    guard needsFlush else { return }
    needsFlush = false
    context?.flush()
  }

  /// Sends an error, and closes the connection after giving the client time to read it.
  func reject(_ rejection: RequestRejection) {
    guard let context, phase != .draining else { return }
    let response = rejection.message
    var buffer = context.channel.allocator.buffer(capacity: 512)
    ResponseBytes.write(response.head, ending: .length(response.body.count), keepsAlive: false, to: &buffer)
    if self.head?.isHEAD != true { buffer.writeBytes(response.body) }
    close(after: buffer, isWhole: false)
  }

  /// - Parameter isWhole: Whether the client has sent the complete request.
  private func close(after buffer: ByteBuffer, isWhole: Bool) {
    guard let context else { return }
    phase = .draining
    waiting.removeAll()
    body = nil
    timer.set(nil)
    lingering = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.lingerTime)) { [weak self] in
      self?.context?.close(promise: nil)
    }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let isSecure = self.isSecure
    context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in
      // If data arrives at a closed socket, the system discards the response bytes that the client has not read yet.
      // Without TLS, only the sending half is therefore closed. With TLS, the client or a timeout closes the
      // connection.
      if isSecure {
        if isWhole { bound.value.close(promise: nil) }
      } else {
        bound.value.close(mode: .output, promise: nil)
      }
    }
    if withholdsRead {
      withholdsRead = false
      context.read()
    }
  }

  private func stream(_ response: ResponseMessage, _ more: [UInt8], to head: RequestHead) {
    guard let context else { return }
    phase = .streaming
    var buffer = context.channel.allocator.buffer(capacity: 1_024 + response.body.count)
    ResponseBytes.write(response.head, ending: head.isOld ? .close : .chunked, keepsAlive: false, to: &buffer)
    let endless = UnboundedBody(response.body, more: more, isChunked: !head.isOld, allocator: context.channel.allocator)
    var start = endless.start
    buffer.writeBuffer(&start)
    guard !head.isHEAD else { return close(after: buffer, isWhole: true) }
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    pump(endless)
  }

  /// Sends the next part after the client has read the previous part.
  private func pump(_ endless: UnboundedBody) {
    guard let context, phase == .streaming, let part = endless.part else { return }
    timer.set(limits.idleTime)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let eventLoop = context.eventLoop
    context.writeAndFlush(wrapOutboundOut(part)).whenSuccess {
      // Let other connections on this event loop proceed.
      eventLoop.execute { bound.value.pump(endless) }
    }
  }
}
