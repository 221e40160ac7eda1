import AppRegistration
import Debugging
import Documents
import Effects
import Synchronization
import WorkflowModel

/// A server for the Debug Adapter Protocol that debugs a scenario as a program.
///
/// One task receives and handles requests in order. The scenario runs in a separate task, which sends its events
/// through the same stream.
package final class DebugAdapter: DebugObserver, Sendable {
  /// The state of the session.
  struct State {
    var isInitialized = false
    var linesStartAt1 = true
    var columnsStartAt1 = true
    /// Whether the client rereads variables after an `invalidated` event.
    var supportsInvalidatedEvent = false
    var isConfigured = false
    var variables = VariableStore(firstID: 1, frameCount: 0)
    var nextBreakpointID = 1
    /// The breakpoints that the client set, for binding them to a program.
    var sourceBreakpoints: [String: [RequestedBreakpoint]] = [:]
    var functionBreakpoints: [RequestedBreakpoint] = []
  }

  /// The result of a successful request.
  struct Reply {
    var body: JSON?
    /// A function to call after the response has been sent.
    var afterwards: @Sendable () -> Void = {}
    /// Work that runs at the same time as later requests.
    var work: (@Sendable () async -> Void)?
    var endsSession = false

    init(_ body: JSON? = nil) { self.body = body }
  }

  let world: World
  let tool: String
  let definitions: Definitions
  let session: DebugSession
  let state = Mutex(State())
  private let stream: MessageStream
  private let sequence = Mutex(0)

  /// - Parameters:
  ///   - world: The environment of the process, from which runs read files and the variables that the user grants.
  ///   - tool: The name and version of authflow, for traces.
  package init(world: World, tool: String, definitions: Definitions = .none) {
    self.world = world
    self.tool = tool
    self.definitions = definitions
    session = DebugSession(world: world, tool: tool)
    stream = MessageStream(console: world.console, framing: .contentLength)
  }

  /// Handles requests until the client disconnects or closes standard input.
  package func run() async {
    await withDiscardingTaskGroup { group in
      while let received = await stream.receive() {
        switch received {
        case .malformed(let reason): log("ignored a message: \(reason)")
        case .message(let message):
          guard let reply = await respond(to: message) else { continue }
          reply.afterwards()
          if let work = reply.work { group.addTask { await work() } }
          if reply.endsSession {
            session.end()
            return
          }
        }
      }
      session.end()
    }
  }

  // MARK: Messages

  /// Handles a message and sends the response.
  /// - Returns: The reply, or nil if the request failed.
  private func respond(to message: JSON) async -> Reply? {
    guard message["type"]?.string == "request", let command = message["command"]?.string,
      let number = message["seq"]?.integer
    else {
      // The adapter does not send requests, so it does not expect responses.
      log("ignored a message that is not a request")
      return nil
    }
    var response: JSON = ["type": "response", "request_seq": .integer(number), "command": .string(command)]
    do throws(DebugFailure) {
      let arguments = message["arguments"] ?? [:]
      let reply = try await handle(command, arguments)
      response["success"] = true
      if let body = reply.body { response["body"] = body }
      send(response)
      return reply
    } catch {
      for diagnostic in error.diagnostics.dropFirst() {
        output("\(DebugFailure([diagnostic]).message)\n", category: "stderr")
      }
      response["success"] = false
      response["message"] = .string(error.message)
      response["body"] = ["error": ["id": 1, "format": .string(Self.escaped(error.message)), "showUser": true]]
      send(response)
      return nil
    }
  }

  /// Removes braces from the text, because the message format uses them for variables.
  private static func escaped(_ text: String) -> String {
    text.contains("{") ? text.filter { $0 != "{" && $0 != "}" } : text
  }

  private func handle(_ command: String, _ arguments: JSON) async throws(DebugFailure) -> Reply {
    guard state.withLock({ $0.isInitialized }) || command == "initialize" else {
      throw DebugFailure("the first request must be `initialize`")
    }
    switch command {
    case "initialize": return try initialize(arguments)
    case "launch": return try launch(arguments)
    case "attach": throw DebugFailure("`attach` is not supported: use `launch`, which runs a scenario")
    case "configurationDone": return try configurationDone()
    case "restart": return try restart(arguments)
    case "terminate": return terminate()
    case "disconnect": return disconnect()
    case "setBreakpoints": return try setBreakpoints(arguments)
    case "setFunctionBreakpoints": return setFunctionBreakpoints(arguments)
    case "setExceptionBreakpoints": return try setExceptionBreakpoints(arguments)
    case "breakpointLocations": return try breakpointLocations(arguments)
    case "continue", "next", "stepIn", "stepOut": return try resume(command)
    case "stepBack": return try stepBack()
    case "reverseContinue": return try reverseContinue()
    case "pause": return try pause()
    case "threads": return threads()
    case "stackTrace": return try stackTrace(arguments)
    case "scopes": return try await scopes(arguments)
    case "variables": return try variables(arguments)
    case "exceptionInfo": return try exceptionInfo()
    case "loadedSources": return loadedSources()
    case "evaluate": return try await evaluate(arguments)
    case "completions": return try completions(arguments)
    default: throw DebugFailure("unsupported request `\(command.prefix(100))`")
    }
  }

  func send(event: String, _ body: JSON? = nil) {
    var message: JSON = ["type": "event", "event": .string(event)]
    if let body { message["body"] = body }
    send(message)
  }

  /// Sends an `output` event.
  func output(_ text: String, category: String, at place: JSON = [:]) {
    var body = place
    body["category"] = .string(category)
    body["output"] = .string(text)
    send(event: "output", body)
  }

  private func send(_ message: JSON) {
    // The lock ensures that messages are sent in the order of their sequence numbers.
    sequence.withLock { number in
      number += 1
      var message = message
      message["seq"] = .integer(Int64(number))
      stream.send(message)
    }
  }

  private func log(_ text: String) { world.console.write("authflow dap: \(text)\n", to: .error) }

  // MARK: Locations

  /// Returns the absolute path of a file.
  func absolutePath(_ path: String) -> String { FilePath.join(world.environment.workingDirectory, path) }

  /// Returns the `Source` object of the Debug Adapter Protocol for a file.
  func source(_ name: String) -> JSON {
    ["name": .string(FilePath.name(of: name)), "path": .string(absolutePath(name))]
  }

  /// Converts a line number to the client's numbering, which starts at 0 or 1.
  func clientLine(_ line: Int) -> JSON { .integer(Int64(state.withLock { $0.linesStartAt1 } ? line : line - 1)) }

  /// Converts a column number to the client's numbering, which starts at 0 or 1.
  func clientColumn(_ column: Int) -> JSON {
    .integer(Int64(state.withLock { $0.columnsStartAt1 } ? column : column - 1))
  }

  /// Converts the client's line or column number to a number that counts from 1.
  func line(_ number: JSON?) -> Int? {
    number?.integer.map { Int(clamping: $0) + (state.withLock { $0.linesStartAt1 } ? 0 : 1) }
  }

  func column(_ number: JSON?) -> Int? {
    number?.integer.map { Int(clamping: $0) + (state.withLock { $0.columnsStartAt1 } ? 0 : 1) }
  }
}
