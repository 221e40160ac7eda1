import Effects
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One connection of a client: reads its requests, asks the server's function one after the other, and answers in order.
final class HTTPConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    /// Waiting for a request's head, or in it.
    case head
    case body
    /// The function has the request.
    case answering
    /// The answer has no end.
    case streaming
    /// All is said; what still comes is thrown away until the client closes.
    case draining
  }

  private enum Input {
    case part(HTTPServerRequestPart)
    case fault(RequestRejection)
  }

  private let limits: ServerLimits
  private let largeBodies: LargeBodies?
  private let isSecure: Bool
  private let peer: ServerPeer
  private let ownAuthority: String
  private let serves: @Sendable (_ host: String) -> Bool
  private let function: RequestHandler
  private let gate: ProtocolDetector
  private lazy var timer = ConnectionTimer(limits: limits) { [weak self] in self?.timeIsUp() }
  private var lingering: Scheduled<Void>?
  private var context: ChannelHandlerContext?

  /// Whether plain HTTP is answered with a hint only.
  var isPlainRefused = false
  private var phase = Phase.head
  /// What was read while a request was being answered.
  private var waiting = CircularBuffer<Input>(initialCapacity: 4)
  private var isProcessing = false
  private var isReading = false
  private var needsFlush = false
  private var withholdsRead = false
  private var isEnding = false
  private var head: RequestHead?
  private var body: ByteBuffer?
  /// The most bytes of the current request's body.
  private var bodyLimit = 0
  private var task: Task<Void, Never>?
  /// How much of an unfinished head has come.
  private(set) var headBytes = 0
  /// Whether an unfinished head is all that there is to read.
  var isWithinHead: Bool { phase == .head && waiting.isEmpty }

  /// - Parameter ownAuthority: what stands for the Host of a client that names none.
  init(
    limits: ServerLimits, largeBodies: LargeBodies?, isSecure: Bool, peer: ServerPeer, ownAuthority: String,
    serves: @escaping @Sendable (_ host: String) -> Bool, gate: ProtocolDetector, function: @escaping RequestHandler
  ) {
    self.ownAuthority = ownAuthority
    self.limits = limits
    self.largeBodies = largeBodies
    self.isSecure = isSecure
    self.peer = peer
    self.serves = serves
    self.gate = gate
    self.function = function
  }

  /// Puts the connection and what it needs at the end of a pipeline.
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
    // Who sends faster than it is answered, or does not take the answers, has to wait.
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
    let refusal = failure == .headerOverflow ? RequestRejection.headTooLarge : .malformed("This is no HTTP request.")
    waiting.append(.fault(refusal))
    process()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case is ConnectionRegistry.DrainRequest:
      isEnding = true
      let isIdle = phase == .head && headBytes == 0 && waiting.isEmpty
      if isIdle || phase == .streaming || phase == .draining { context.close(promise: nil) }
    case ChannelEvent.inputClosed:
      // The client sends nothing more, but may still wait for an answer, for a while.
      isEnding = true
      switch phase {
      case .answering, .streaming: timer.set(limits.hangUpTime)
      case .head, .body, .draining: context.close(promise: nil)
      }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func timeIsUp() {
    switch phase {
    case .head where headBytes > 0, .body: refuse(.tooSlow)
    case .head, .streaming: context?.close(promise: nil)
    // Nobody waits for the answer any more; the end of the connection cancels the task that makes it.
    case .answering: context?.close(promise: nil)
    case .draining: break
    }
  }

  // MARK: One request after the other

  private var isReady: Bool { (phase == .head || phase == .body) && (context?.channel.isWritable ?? false) }

  private func process() {
    // Answers that come at once lead back here: a loop takes no stack.
    guard !isProcessing else { return }
    isProcessing = true
    while isReady, let input = waiting.popFirst() {
      switch input {
      case .part(let part): take(part)
      case .fault(let refusal): refuse(refusal)
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
        do throws(RequestRejection) { try check(bodySize: count, of: head) } catch { return refuse(error) }
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
    guard !isPlainRefused else { return refuse(.plain) }
    do throws(RequestRejection) {
      let request = try RequestHead(head, isSecure: isSecure, ownAuthority: ownAuthority, serves: serves)
      try check(bodySize: request.contentLength ?? 0, of: request)
      if request.waitsForLeave, request.contentLength != 0, let context {
        context.writeAndFlush(
          wrapOutboundOut(ByteBuffer(staticString: "HTTP/1.1 100 Continue\r\n\r\n")), promise: nil)
      }
      self.head = request
    } catch {
      refuse(error)
    }
  }

  private func check(bodySize: Int, of head: RequestHead) throws(RequestRejection) {
    guard bodySize > bodyLimit else { return }
    guard let largeBodies else { throw .bodyTooLarge }
    bodyLimit = max(bodyLimit, largeBodies.limit(head.request))
    guard bodySize > bodyLimit else { return }
    var refusal = RequestRejection.bodyTooLarge
    refusal.response = largeBodies.refusal(head.request)
    throw refusal
  }

  private func answer() {
    guard let head, let context else { return }
    phase = .answering
    timer.set(nil)
    let request = RequestMessage(head.request, body: body.map { Array($0.readableBytesView) } ?? [])
    body = nil
    let eventLoop = context.eventLoop
    let connection = NIOLoopBound(self, eventLoop: eventLoop)
    // It begins here and now: most answers need nothing to wait for, and are written without leaving the event loop.
    task = Task.immediate { [function, peer] in
      let outcome = await function(request, peer)
      if eventLoop.inEventLoop {
        connection.value.deliver(outcome)
      } else {
        eventLoop.execute { connection.value.deliver(outcome) }
      }
    }
  }

  // MARK: What goes out

  private func deliver(_ outcome: ServerOutcome) {
    guard let context, let head, phase == .answering else { return }
    switch outcome {
    case .broken: gate.reset()
    case .response(let response):
      let keepsAlive = head.keepsAlive && !isEnding
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

  /// Tells why there is no answer, and closes in such a way that the client can read it.
  func refuse(_ refusal: RequestRejection) {
    guard let context, phase != .draining else { return }
    let response = refusal.message
    var buffer = context.channel.allocator.buffer(capacity: 512)
    ResponseBytes.write(response.head, ending: .length(response.body.count), keepsAlive: false, to: &buffer)
    if self.head?.isHEAD != true { buffer.writeBytes(response.body) }
    close(after: buffer, isWhole: false)
  }

  /// - Parameter isWhole: whether the client has sent all of its request.
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
      // What a client still sends to a closed socket makes the system throw away what the client has not read yet. So
      // only this half is closed, where TLS allows it; over TLS the client closes, or time runs out.
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

  /// Sends the next part when the client has taken the one before.
  private func pump(_ endless: UnboundedBody) {
    guard let context, phase == .streaming, let part = endless.part else { return }
    timer.set(limits.idleTime)
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let eventLoop = context.eventLoop
    context.writeAndFlush(wrapOutboundOut(part)).whenSuccess {
      // Others of this event loop get their turn.
      eventLoop.execute { bound.value.pump(endless) }
    }
  }
}
