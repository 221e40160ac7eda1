import Documents
import EditorProtocols
import Effects
import OrderedCollections

/// A tool of the MCP server.
struct MCPTool: Sendable {
  /// A call with checked arguments.
  struct Call: Sendable {
    let project: MCPProject
    let arguments: JSON
    let progress: MCPProgress
    /// Stores the trace of a run, which clients can read as a resource.
    let keepTrace: @Sendable (String) -> Void

    func text(_ name: String) -> String? { arguments[name]?.string }
    func bool(_ name: String) -> Bool { arguments[name]?.bool ?? false }
  }

  let name: String
  let title: String
  let description: String
  let parameters: [MCPParameter]
  /// The schema of the structured content.
  let output: JSON
  /// Whether the tool can use the network if the user allows it.
  var isOpenWorld = false
  let perform: @Sendable (Call) async throws(MCPToolFailure) -> MCPToolResult

  static let all: [MCPTool] = [validate, run, test, explore, explain, diagnose, settings, graph]

  static func named(_ name: String) -> MCPTool? { all.first { $0.name == name } }

  /// Returns the tool as an entry in the `tools/list` result.
  /// - Parameter allowsLive: Whether the user allowed runs against the live service, which can change data.
  func json(allowsLive: Bool) -> JSON {
    let isOpen = isOpenWorld && allowsLive
    let required = parameters.filter(\.isRequired).map { JSON.string($0.name) }
    var input: JSON = [
      "type": "object", "properties": .object(parameters.reduce(into: [:]) { $0[$1.name] = $1.schema }),
      "additionalProperties": false,
    ]
    if !required.isEmpty { input["required"] = .array(required) }
    return [
      "name": .string(name), "title": .string(title), "description": .string(description), "inputSchema": input,
      "outputSchema": output,
      "annotations": [
        "title": .string(title), "readOnlyHint": .bool(!isOpen), "destructiveHint": .bool(isOpen),
        "idempotentHint": .bool(!isOpen), "openWorldHint": .bool(isOpen),
      ],
    ]
  }

  // MARK: Schemas

  static func object(_ properties: JSON, required: [String] = []) -> JSON {
    var all: JSON = properties
    all["messages"] = ["type": "string", "description": "warnings and notes"]
    all["truncated"] = ["type": "boolean", "description": "whether list elements were omitted"]
    all["omitted"] = ["type": "integer", "description": "the number of omitted elements"]
    var schema: JSON = ["type": "object", "properties": all]
    if !required.isEmpty { schema["required"] = .array(required.map { .string($0) }) }
    return schema
  }

  static let string: JSON = ["type": "string"]
  static let integer: JSON = ["type": "integer"]
  static let boolean: JSON = ["type": "boolean"]
  static let anyObject: JSON = ["type": "object"]

  static func list(of items: JSON, _ description: String? = nil) -> JSON {
    var schema: JSON = ["type": "array", "items": items]
    if let description { schema["description"] = .string(description) }
    return schema
  }

  static func described(_ schema: JSON, _ description: String) -> JSON {
    var schema = schema
    schema["description"] = .string(description)
    return schema
  }
}

extension MCPTool.Call {
  /// Runs an authflow command.
  func run(
    _ arguments: [String], isLive: Bool = false, text: (path: String, content: String)? = nil
  ) async throws(MCPToolFailure) -> MCPProject.CommandResult {
    let result: MCPProject.CommandResult
    do throws(FileFailure) {
      result = try await project.run(arguments, isLive: isLive, text: text)
    } catch {
      throw MCPToolFailure(error.explanation)
    }
    if result.status == .interrupted { throw MCPToolFailure("canceled") }
    return result
  }
}

extension MCPProject.CommandResult {
  /// Adds the messages of the command to its result.
  func adding(to json: JSON) -> JSON {
    var json = json
    if !messages.isEmpty { json["messages"] = .string(messages) }
    return json
  }

  /// The failure of a command that printed no result.
  var failure: MCPToolResult {
    MCPToolResult(failure: messages.isEmpty ? "error: the command failed with exit code \(status.rawValue)" : messages)
  }

  /// The result of a command that prints an object.
  var objectResult: MCPToolResult {
    guard let json, json.object != nil else { return failure }
    return MCPToolResult(adding(to: json), isError: status != .success)
  }
}
