import Documents
import Effects
import Synchronization

/// The protocol layer of a Model Context Protocol server: message format, lifecycle, concurrency, and cancellation.
///
/// `Methods` contains the server's functions. Requests run concurrently, so a slow request does not delay others.
package final class MCPServer: Sendable {
  package typealias Handler = @Sendable (MCPRequest) async throws(MCPError) -> JSON

  /// The identity and the functions of a server.
  package struct Methods: Sendable {
    package var info: JSON
    package var capabilities: JSON
    /// Advice for the model.
    package var instructions: String
    package var handlers: [String: Handler]

    package init(info: JSON, capabilities: JSON, instructions: String, handlers: [String: Handler]) {
      self.info = info
      self.capabilities = capabilities
      self.instructions = instructions
      self.handlers = handlers
    }
  }

  /// The supported versions of the protocol that use a handshake, oldest first. See `MCPEnvelope` for later versions.
  package static let versions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

  private struct State {
    var isInitialized = false
    var level = LogLevel.warning
    /// The running requests by ID.
    var running: [JSON: Task<Void, Never>] = [:]
    /// The IDs of canceled requests, which do not receive a response.
    var canceled: Set<JSON> = []
  }

  private let stream: MessageStream
  private let methods: Methods
  private let state = Mutex(State())

  package init(stream: MessageStream, methods: Methods) {
    self.stream = stream
    self.methods = methods
  }

  /// Handles messages until the client closes the input, and then waits for the running requests.
  package func run() async {
    while let received = await stream.receive() {
      switch received {
      case .malformed(let reason): stream.send(MCPError(.parseError, reason).response(to: .null))
      case .message(.array(let batch)): accept(batch)
      case .message(let message): accept(message) { [stream] in if let response = $0 { stream.send(response) } }
      }
      if stream.outputError != nil { break }
    }
    let isInterrupted = Task.isCancelled || stream.outputError != nil
    for task in state.withLock({ Array($0.running.values) }) {
      if isInterrupted { task.cancel() }
      await task.value
    }
  }

  /// Sends a notification to the client.
  package func notify(_ method: String, _ params: JSON = [:]) {
    guard state.withLock({ $0.isInitialized }) else { return }
    stream.send(RPCMessage.notification(method, params))
  }

  /// Sends a log message if the client requested messages at this level.
  package func log(_ level: LogLevel, _ message: String) {
    guard state.withLock({ level >= $0.level }) else { return }
    notify(
      "notifications/message",
      ["level": .string(level.rawValue), "logger": "authflow", "data": .string(message)])
  }

  // MARK: Receiving

  /// Handles a batch (protocol version 2025-03-26). Its responses are sent together.
  private func accept(_ messages: [JSON]) {
    guard !messages.isEmpty else {
      return stream.send(MCPError(.invalidRequest, "the batch is empty").response(to: .null))
    }
    let batch = MCPBatch(count: messages.count) { [stream] in stream.send(.array($0)) }
    for message in messages { accept(message, respond: batch.add) }
  }

  /// - Parameter respond: A closure that is called once, with the response, or with nil if the message does not require
  ///   a response.
  private func accept(_ message: JSON, respond: @escaping @Sendable (JSON?) -> Void) {
    switch RPCMessage(message) {
    case .invalid(let id, let error): respond(MCPError(.invalidRequest, error.message).response(to: id))
    case .response: respond(nil)
    case .notification(let method, let params):
      handleNotification(method, params)
      respond(nil)
    case .request(let id, let method, let params): accept(id, method, params, respond)
    }
  }

  private func handleNotification(_ method: String, _ params: JSON) {
    guard method == "notifications/cancelled", let id = params["requestId"] else { return }
    let task = state.withLock { state -> Task<Void, Never>? in
      guard let task = state.running[id] else { return nil }
      state.canceled.insert(id)
      return task
    }
    task?.cancel()
  }

  private func accept(
    _ id: JSON, _ method: String, _ params: JSON, _ respond: @escaping @Sendable (JSON?) -> Void
  ) {
    do throws(MCPError) {
      guard params.isNull || params.object != nil else {
        throw .invalidParams("`params` must be an object, not \(params.typeName)")
      }
      let params = params.isNull ? [:] : params
      let hasEnvelope = MCPEnvelope.isUsed(in: params)
      if hasEnvelope {
        try MCPEnvelope.check(params)
        if method == "server/discover" {
          return respond(RPCMessage.response(to: id, result: completed(MCPEnvelope.discovery(methods), method)))
        }
      }
      if let result = try immediateResult(method, params) {
        return respond(RPCMessage.response(to: id, result: result))
      }
      guard let handler = methods.handlers[method] else { throw unknown(method) }
      guard hasEnvelope || state.withLock({ $0.isInitialized }) else {
        throw MCPError(.invalidRequest, "the server is not initialized; send `initialize` first")
      }
      try start(handler, id, MCPRequest(method: method, params: params, progress: progress(params)), respond)
    } catch {
      respond(error.response(to: id))
    }
  }

  /// Returns the result of a request that is handled without a task, so that it never waits for other requests.
  private func immediateResult(_ method: String, _ params: JSON) throws(MCPError) -> JSON? {
    switch method {
    case "ping": return [:]
    case "initialize": return try initialize(params)
    case "logging/setLevel":
      guard let level = params["level"]?.string.flatMap(LogLevel.init(rawValue:)) else {
        let levels = LogLevel.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalidParams("`level` must be one of \(levels)")
      }
      try state.withLock { state throws(MCPError) in
        guard state.isInitialized else {
          throw MCPError(.invalidRequest, "the server is not initialized; send `initialize` first")
        }
        state.level = level
      }
      return [:]
    default: return nil
    }
  }

  private func initialize(_ params: JSON) throws(MCPError) -> JSON {
    guard let version = params["protocolVersion"]?.string else {
      throw .invalidParams("`initialize` requires the string `protocolVersion`, such as `\(Self.newestVersion)`")
    }
    let isFirst = state.withLock { state in
      defer { state.isInitialized = true }
      return !state.isInitialized
    }
    guard isFirst else { throw MCPError(.invalidRequest, "the server is already initialized") }
    return [
      "protocolVersion": .string(Self.versions.contains(version) ? version : Self.newestVersion),
      "capabilities": methods.capabilities, "serverInfo": methods.info,
      "instructions": .string(methods.instructions),
    ]
  }

  private func completed(_ result: JSON, _ method: String) -> JSON {
    MCPEnvelope.completed(result, of: method, by: methods.info)
  }

  private static var newestVersion: String { versions[versions.count - 1] }

  private func unknown(_ method: String) -> MCPError {
    MCPError(.methodNotFound, "unknown method `\(method.prefix(80))`")
  }

  private func progress(_ params: JSON) -> MCPProgress {
    let token = params["_meta"]?["progressToken"].flatMap { $0.string != nil || $0.integer != nil ? $0 : nil }
    return MCPProgress(token: token) { [stream] in stream.send($0) }
  }

  // MARK: Running

  private func start(
    _ handler: @escaping Handler, _ id: JSON, _ request: MCPRequest, _ respond: @escaping @Sendable (JSON?) -> Void
  ) throws(MCPError) {
    try state.withLock { state throws(MCPError) in
      guard state.running[id] == nil else {
        throw MCPError(.invalidRequest, "a request with the ID \(id.text().prefix(80)) is running; use unique IDs")
      }
      state.running[id] = Task {
        let response: JSON
        do throws(MCPError) {
          let result = try await handler(request)
          let hasEnvelope = MCPEnvelope.isUsed(in: request.params)
          response = RPCMessage.response(to: id, result: hasEnvelope ? self.completed(result, request.method) : result)
        } catch {
          response = error.response(to: id)
        }
        request.progress.close()
        let isCanceled = self.state.withLock { state in
          state.running[id] = nil
          return state.canceled.remove(id) != nil
        }
        respond(isCanceled ? nil : response)
      }
    }
  }
}

extension MCPServer {
  /// The severity of a log message (RFC 5424).
  package enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case debug, info, notice, warning, error, critical, alert, emergency

    package static func < (left: LogLevel, right: LogLevel) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }
}

/// A collector for the responses to a batch.
private final class MCPBatch: Sendable {
  private struct State {
    var missing: Int
    var responses: [JSON] = []
  }

  private let state: Mutex<State>
  private let send: @Sendable ([JSON]) -> Void

  init(count: Int, send: @escaping @Sendable ([JSON]) -> Void) {
    state = Mutex(State(missing: count))
    self.send = send
  }

  /// Adds a response, or nil for a message without a response. After the last message, sends the responses.
  func add(_ response: JSON?) {
    let finished = state.withLock { state -> [JSON]? in
      state.missing -= 1
      if let response { state.responses.append(response) }
      return state.missing == 0 && !state.responses.isEmpty ? state.responses : nil
    }
    if let finished { send(finished) }
  }
}
