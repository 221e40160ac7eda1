import Diagnostics
import Documents
import Effects
import Trust
import WorkflowModel

extension MCPTool {
  static let graph = MCPTool(
    name: "graph", title: "Draw a workflow as a state machine",
    description: """
      Draws the steps and outcomes of a workflow as Mermaid, Graphviz DOT, or SVG, or lists the states and transitions as \
      JSON.
      """,
    parameters: [
      .path("Workflow file"),
      MCPParameter(
        name: "format", kind: .choice(["mermaid", "dot", "svg", "json"]),
        description: "Diagram format (default: mermaid)"),
    ],
    output: object(
      [
        "format": ["enum": ["mermaid", "dot", "svg", "json"]],
        "diagram": described(string, "the diagram, unless the format is `json`"), "title": string,
        "states": list(of: anyObject), "transitions": list(of: anyObject),
      ], required: ["format"])
  ) { call throws(MCPToolFailure) in
    let path = try call.project.checkedFile(call.text("path") ?? "")
    let format = call.text("format") ?? "mermaid"
    // For JSON, the command only checks the workflow and reports its errors.
    let command = format == "json" ? "text" : format
    let result = try await call.run(["graph", "--format", command, path])
    guard result.status == .success else { return result.failure }
    if format == "json" { return try states(at: path, result, in: call.project) }
    let json = result.adding(to: ["format": .string(format), "diagram": .string(result.output)])
    guard BoundedJSON.size(of: json) * 2 < MCPToolResult.sizeLimit else {
      throw MCPToolFailure(
        "the diagram is too large: \(result.output.utf8.count) bytes", help: "use another format, such as `mermaid`")
    }
    return MCPToolResult(json, text: result.output)
  }

  private static func states(
    at path: String, _ result: MCPProject.CommandResult, in project: MCPProject
  ) throws(MCPToolFailure) -> MCPToolResult {
    let reader = ProjectReader(inputs: [path], in: project.readingWorld)
    let (workflow, _) = WorkflowDecoder.read(reader.projectDocument(at: path, options: ReadingOptions())) {
      reader.projectDocument(at: $0, options: ReadingOptions())
    }
    guard let workflow else { throw MCPToolFailure("\(path): cannot be read") }
    return MCPToolResult(result.adding(to: MachineDiagram(workflow).json))
  }
}

extension MachineDiagram {
  /// The states and transitions as JSON. Transitions refer to states by ID.
  fileprivate var json: JSON {
    [
      "format": "json", "title": .string(title),
      "states": .array(
        states.map { state in
          var json: JSON = [
            "id": .string(state.id), "type": .string(state.kind), "role": .string(state.role.rawValue),
          ]
          if !state.detail.isEmpty { json["detail"] = .string(state.detail) }
          return json
        }),
      "transitions": .array(
        transitions.map { transition in
          [
            "from": .string(states[transition.from].id), "to": .string(name(of: transition.to)),
            "outcomes": .array(transition.outcomes.map { .string($0) }), "kind": .string(transition.sort.rawValue),
          ]
        }),
    ]
  }

  private func name(of target: Target) -> String {
    switch target {
    case .state(let index): states[index].id
    case .success: "success"
    case .failure: "failure"
    }
  }
}
