import Diagnostics
import Documents
import EditorProtocols
import Synchronization

/// The methods of the MCP server.
final class MCPMethods: Sendable {
  /// The maximum number of tool calls that run at the same time.
  private static let concurrentCalls = 4

  private let project: MCPProject
  private let resources = MCPResources()
  private let gate = MCPGate(limit: concurrentCalls)
  /// The server, which is created after its methods.
  private let server = Mutex<MCPServer?>(nil)

  init(project: MCPProject) { self.project = project }

  /// Returns a server that handles the messages of a stream.
  func server(on stream: MessageStream) -> MCPServer {
    let server = MCPServer(
      stream: stream,
      methods: MCPServer.Methods(
        info: ["name": "authflow", "title": "authflow", "version": .string(Version.text)],
        capabilities: [
          "tools": ["listChanged": false], "resources": ["listChanged": true, "subscribe": false],
          "prompts": ["listChanged": false], "completions": [:], "logging": [:],
        ], instructions: instructions, handlers: handlers))
    self.server.withLock { $0 = server }
    return server
  }

  private var instructions: String {
    """
    authflow runs and tests sign-in workflows for the Microsoft identity platform on a built-in emulator, and checks app \
    registration files. Paths are relative to the folder `\(project.folder.path)`, and files outside it cannot be read. \
    The tools never write files: apply changes yourself, then call `validate` and `test`. Before you write a workflow, \
    read authflow://handbook/WritingWorkflows and authflow://schema/workflow. `explain` explains errors and keywords. \
    \(project.allowsLive ? "`run` with `live` uses the live service." : "The tools do not use the network.")
    """
  }

  private var handlers: [String: MCPServer.Handler] {
    let (project, resources) = (project, resources)
    return [
      "tools/list": { request throws(MCPError) in
        try request.checkCursor()
        return ["tools": .array(MCPTool.all.map { $0.json(allowsLive: project.allowsLive) })]
      },
      "tools/call": { [self] request throws(MCPError) in try await call(request) },
      "resources/list": { request throws(MCPError) in
        try request.checkCursor()
        return resources.list
      },
      "resources/templates/list": { request throws(MCPError) in
        try request.checkCursor()
        return MCPResources.templates
      },
      "resources/read": { request throws(MCPError) in try resources.read(try request.text("uri")) },
      "prompts/list": { request throws(MCPError) in
        try request.checkCursor()
        return ["prompts": .array(MCPPrompt.all.map(\.json))]
      },
      "prompts/get": { request throws(MCPError) in try MCPPrompt.get(request) },
      "completion/complete": { request throws(MCPError) in try MCPCompletion(project: project).complete(request) },
    ]
  }

  // MARK: Tools

  private func call(_ request: MCPRequest) async throws(MCPError) -> JSON {
    let name = try request.text("name")
    guard let tool = MCPTool.named(name) else {
      let names = MCPTool.all.map(\.name)
      let help =
        Suggestion.nearest(to: name, among: names).map { "did you mean `\($0)`?" }
        ?? "use one of \(names.joined(separator: ", "))"
      throw .invalidParams("unknown tool `\(CaretFrame.visible(String(name.prefix(80))))`; \(help)")
    }
    let arguments = request.params["arguments"].flatMap { $0.isNull ? nil : $0 } ?? [:]
    try MCPParameter.check(arguments, of: name, tool.parameters)
    let call = MCPTool.Call(project: project, arguments: arguments, progress: request.progress) { [self] trace in
      if resources.keep(trace) { server.withLock { $0 }?.notify("notifications/resources/list_changed") }
    }
    request.progress.report(0, "started `\(name)`")
    let result = await gate.run { () async in await Self.result(of: tool, call) } ?? MCPToolResult(failure: "canceled")
    server.withLock { $0 }?.log(.info, "finished `\(name)`")
    return result.json
  }

  private static func result(of tool: MCPTool, _ call: MCPTool.Call) async -> MCPToolResult {
    do throws(MCPToolFailure) {
      return try await tool.perform(call)
    } catch {
      return MCPToolResult(failure: error.text)
    }
  }
}
