import Documents
import Effects
import LanguageService
import Synchronization

/// The language server (LSP 3.17).
///
/// The server reads messages in order. It applies document changes immediately and responds to each request in a task,
/// based on the text at the time of the request.
package final class LanguageServer: Sendable {
  enum Phase: Sendable {
    case created, initialized, shutDown
  }

  struct State: Sendable {
    var phase = Phase.created
    var client = LSPClient()
    var workspaces: [Workspace] = []
    var results = ScenarioResults()
    /// The number of the latest run.
    var lastRun = 0
    /// The number of the run whose results were recorded last, by file and scenario.
    var recordedRuns: [String: [String: Int]] = [:]
    /// The tasks for requests without a response, by ID.
    var running: [JSON: Task<Void, Never>] = [:]
    /// The background tasks, such as scenario runs.
    var background: [Int: Task<Void, Never>] = [:]
    var nextTask = 0
    /// The server's requests that the client has not responded to.
    var unanswered: [Int64: CheckedContinuation<JSON?, Never>] = [:]
    var nextRequest: Int64 = 1
    /// The last published diagnostics by URI.
    var published: [String: JSON] = [:]
    /// The URIs of changed documents. Their diagnostics are published even if the findings are the same.
    var changed: Set<String> = []
    /// The task that publishes diagnostics, and whether it must start again.
    var publishing: Task<Void, Never>?
    var mustPublishAgain = false
    /// The number of the latest run that a save started. Earlier runs are stopped.
    var saveRun = 0
  }

  static let features: [any LSPFeature.Type] = [
    LSPDiagnostics.self, LSPCodeActions.self, LSPScenarios.self, LSPCompletion.self, LSPHover.self, LSPNavigation.self,
    LSPStructure.self, LSPFormatting.self,
  ]

  private static let handlers = features.reduce(into: [String: LSPHandler]()) {
    $0.merge($1.handlers) { first, _ in first }
  }

  let world: World
  let tool: String
  private let stream: MessageStream
  let state = Mutex(State())

  /// - Parameter tool: The name and version of the program for traces, such as `authflow 1.0`.
  package init(world: World, tool: String) {
    self.world = world
    self.tool = tool
    stream = MessageStream(console: world.console, framing: .contentLength)
  }

  /// Handles messages until the client sends `exit` or standard input closes.
  /// - Returns: Whether the client ended the session with `shutdown` and `exit`.
  package func run() async -> Bool {
    var isOrderly = false
    loop: while let received = await stream.receive() {
      switch received {
      case .malformed(let reason):
        stream.send(RPCMessage.response(to: .null, error: RPCError(.parseError, reason)))
      case .message(let json):
        switch RPCMessage(json) {
        case .invalid(let id, let error): stream.send(RPCMessage.response(to: id, error: error))
        case .response(let id, let result, let error):
          if let error { log("the client rejected a request: \(error["message"]?.string ?? "unknown error")") }
          resume(id, with: error == nil ? result ?? .null : nil)
        case .notification("exit", _):
          isOrderly = state.withLock { $0.phase == .shutDown }
          break loop
        case .notification(let method, let params): await receive(method, params)
        case .request(let id, let method, let params): answer(id, method, params)
        }
      }
    }
    await stop()
    return isOrderly
  }

  /// Cancels all tasks and waits for them.
  private func stop() async {
    let (tasks, unanswered) = state.withLock { state in
      defer { state.unanswered = [:] }
      return (Array(state.running.values) + Array(state.background.values), state.unanswered)
    }
    for continuation in unanswered.values { continuation.resume(returning: nil) }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  // MARK: Requests

  private func answer(_ id: JSON, _ method: String, _ params: JSON) {
    switch (state.withLock { $0.phase }, method) {
    case (.created, "initialize"): stream.send(RPCMessage.response(to: id, result: initialize(params)))
    case (.created, _):
      fail(id, RPCError(.serverNotInitialized, "the first request must be `initialize`"))
    case (.shutDown, _): fail(id, RPCError(.invalidRequest, "the server is shutting down"))
    case (.initialized, "initialize"): fail(id, RPCError(.invalidRequest, "the server is already initialized"))
    case (.initialized, "shutdown"):
      state.withLock { $0.phase = .shutDown }
      stream.send(RPCMessage.response(to: id, result: .null))
    case (.initialized, "workspace/executeCommand"):
      start(id) { [self] () throws(RPCError) in try await execute(params) }
    case (.initialized, _):
      guard let handler = Self.handlers[method] else {
        return fail(id, RPCError(.methodNotFound, "unsupported method `\(method.prefix(100))`"))
      }
      let (client, results) = state.withLock { ($0.client, $0.results) }
      let requests = workspaces(of: params).map { workspace in
        LSPRequest(params: params, snapshot: workspace.snapshot(), results: results, client: client)
      }
      start(id) { () throws(RPCError) in
        var answer: JSON?
        for request in requests { answer = Self.joined(answer, try handler(request)) }
        guard let answer else { throw .invalidParams("the document is not open, and no folder contains it") }
        return answer
      }
    }
  }

  /// Returns the workspace of the document in a request. If the request has no document, returns the workspaces of all
  /// folders.
  private func workspaces(of params: JSON) -> [Workspace] {
    let uri = params["textDocument"]?["uri"]?.string ?? params["data"]?["uri"]?.string
    guard let uri else { return state.withLock { $0.workspaces } }
    return workspace(of: DocumentURI.path(of: uri)).map { [$0] } ?? []
  }

  /// Joins the results for two folders into one list, or into an object with a list of items.
  private static func joined(_ first: JSON?, _ second: JSON) -> JSON {
    guard let first, !first.isNull else { return second }
    if let items = first.array { return .array(items + (second.array ?? [])) }
    guard let items = first["items"]?.array else { return first }
    var all = first
    all["items"] = .array(items + (second["items"]?.array ?? []))
    return all
  }

  private func fail(_ id: JSON, _ error: RPCError) { stream.send(RPCMessage.response(to: id, error: error)) }

  /// Responds to a request in a task that `$/cancelRequest` can cancel.
  private func start(_ id: JSON, _ body: @escaping @Sendable () async throws(RPCError) -> JSON) {
    state.withLock { state in
      state.running[id] = Task.detached { [self] in
        let response: JSON
        do throws(RPCError) {
          let result = try await body()
          response =
            Task.isCancelled
            ? RPCMessage.response(to: id, error: RPCError(.requestCancelled, "canceled"))
            : RPCMessage.response(to: id, result: result)
        } catch {
          response = RPCMessage.response(to: id, error: error)
        }
        stream.send(response)
        self.state.withLock { _ = $0.running.removeValue(forKey: id) }
      }
    }
  }

  /// Starts a task that is canceled when the session ends.
  func startInBackground(_ body: @escaping @Sendable () async -> Void) {
    state.withLock { _ = startInBackground(&$0, body) }
  }

  func startInBackground(_ state: inout State, _ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    let number = state.nextTask
    state.nextTask += 1
    let task = Task.detached { [self] in
      await body()
      self.state.withLock { _ = $0.background.removeValue(forKey: number) }
    }
    state.background[number] = task
    return task
  }

  func cancel(_ id: JSON) { state.withLock { $0.running[id] }?.cancel() }

  // MARK: Messages to the client

  func notify(_ method: String, _ params: JSON) { stream.send(RPCMessage.notification(method, params)) }

  /// Shows a message to the user (LSP 3.17, `window/showMessage`).
  func show(_ message: String, isError: Bool = true) {
    notify("window/showMessage", ["type": isError ? 1 : 3, "message": .string(message)])
  }

  func log(_ message: String) { world.console.write("authflow lsp: \(message)\n", to: .error) }

  /// Sends a request and waits for the response.
  /// - Returns: The result, or nil if the client reports an error or the session ends.
  @discardableResult func request(_ method: String, _ params: JSON) async -> JSON? {
    await withCheckedContinuation { continuation in
      let id = state.withLock { state in
        defer { state.nextRequest += 1 }
        state.unanswered[state.nextRequest] = continuation
        return state.nextRequest
      }
      stream.send(["jsonrpc": "2.0", "id": .integer(id), "method": .string(method), "params": params])
    }
  }

  private func resume(_ id: JSON, with result: JSON?) {
    guard let id = id.integer else { return }
    state.withLock { $0.unanswered.removeValue(forKey: id) }?.resume(returning: result)
  }
}
