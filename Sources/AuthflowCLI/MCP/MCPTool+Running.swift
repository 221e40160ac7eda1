import Documents
import EditorProtocols
import Effects
import OrderedCollections
import SimulatedWorld

extension MCPTool {
  /// The path of the trace, which exists only in memory.
  private static let traceFile = ".authflow-mcp-trace.jsonl"

  static let run = MCPTool(
    name: "run", title: "Run a workflow",
    description: """
      Runs a workflow, or one of its scenarios, on the built-in emulator of Microsoft Entra ID and Microsoft Graph. Each run \
      starts without saved state and does not write files. Returns the outcome, the path through the steps, and the \
      outcome of each step. The resource authflow://trace/last contains the trace with all decisions and requests. \
      `live` uses the live service, if the user allowed it with `authflow mcp --live`.
      """,
    parameters: [
      .path("Workflow or scenarios file, relative to the server's folder"),
      MCPParameter(
        name: "scenario", kind: .text(limit: 1024), description: "Run this scenario instead of the workflow alone"),
      MCPParameter(name: "inputs", kind: .values, description: "Values for the workflow's inputs, by name"),
      MCPParameter(name: "user", kind: .text(limit: 256), description: "Sign in as this user"),
      MCPParameter(name: "live", kind: .bool, description: "Use the live service instead of the emulator"),
    ],
    output: object(
      [
        "succeeded": boolean, "outcome": string, "path": list(of: string, "the IDs of the steps that ran, in order"),
        "interactions": described(integer, "the number of times that the browser opened"),
        "pages": described(integer, "the number of pages that the user saw"), "reason": string,
        "step": described(string, "the step that ended the run"), "name": described(string, "the scenario"),
        "verdict": described(string, "the result of the scenario"), "failure": anyObject,
        "steps": list(of: anyObject, "the outcome of each step, from the trace"),
        "trace": described(string, "the URI of the trace"),
      ], required: ["succeeded"]), isOpenWorld: true
  ) { call throws(MCPToolFailure) in
    let path = try call.project.checkedFile(call.text("path") ?? "")
    let isLive = call.bool("live")
    guard !isLive || call.project.allowsLive else {
      throw MCPToolFailure(
        "live runs are not allowed",
        help: "only the user can allow them, with `authflow mcp --live`; omit `live` to use the emulator")
    }
    var arguments = ["run", "--format", "json", "--trace", traceFile]
    if let scenario = call.text("scenario") {
      if let other = ["inputs", "user", "live"].first(where: { call.arguments[$0] != nil }) {
        throw MCPToolFailure(
          "`\(other)` and `scenario` cannot be used together: a scenario runs in isolation", help: "omit `\(other)`")
      }
      arguments.append("--scenario=" + scenario)
    } else {
      arguments.append("--fresh")
      if isLive { arguments += ["--platform", "live"] }
      if let user = call.text("user") { arguments.append("--user=" + user) }
      for (name, value) in call.arguments["inputs"]?.object ?? [:] {
        arguments.append("--set=\(name)=\(value.string ?? value.text())")
      }
    }
    let result = try await call.run(arguments + [path], isLive: isLive)
    let trace = (try? result.files.read(traceFile, limit: .max)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    if !trace.isEmpty { call.keepTrace(trace) }
    guard var json = result.json, json.object != nil else { return result.failure }
    if json["succeeded"] == nil { json["succeeded"] = .bool(json["verdict"]?.string == "passed") }
    if !trace.isEmpty {
      json["trace"] = .string(MCPResources.lastTrace)
      json["steps"] = .array(steps(of: trace))
    }
    return MCPToolResult(result.adding(to: json), isError: result.status != .success)
  }

  /// Returns the outcomes of the steps in a trace. For details, clients can read the trace.
  private static func steps(of trace: String) -> [JSON] {
    trace.split(separator: "\n").filter { $0.contains(#""kind":"step.finished""#) }.compactMap { line in
      guard var members = (try? JSON(parsing: line.utf8))?.object else { return nil }
      for name in ["kind", "seq", "time", "place", "account", "previousAccount"] { members[name] = nil }
      return .object(members)
    }
  }

  static let test = MCPTool(
    name: "test", title: "Run workflow scenarios",
    description: """
      Runs the scenarios of one or more workflows on the emulator, each in isolation and with deterministic results. \
      Returns the status of each scenario. For a failed scenario, it also returns the expected path, the actual path, \
      the problems with their locations, and the decisions that led to the difference.
      """,
    parameters: [
      .path("Workflow, scenarios file, or folder (default: the server's folder)", isRequired: false),
      MCPParameter(
        name: "scenario", kind: .text(limit: 1024), description: "Run only scenarios whose name contains this text"),
      MCPParameter(
        name: "filter", kind: .texts,
        description: "Run only scenarios that match one of these names; a name can contain `*` and `?`"),
      MCPParameter(
        name: "tags", kind: .texts, description: "Run only scenarios with one of these tags; `!tag` excludes a tag"),
      MCPParameter(name: "coverage", kind: .bool, description: "Add the coverage of steps and transitions"),
    ],
    output: object(
      [
        "summary": [
          "type": "object",
          "properties": [
            "passed": integer, "failed": integer, "errors": integer, "skipped": integer, "total": integer,
          ],
        ], "ending": string, "tests": list(of: anyObject, "failed scenarios first"), "coverage": list(of: anyObject),
      ], required: ["summary", "tests"])
  ) { call throws(MCPToolFailure) in
    let path = try call.project.checkedPath(call.text("path") ?? ".")
    var arguments = ["test", "--format", "json"]
    let filters =
      (call.arguments["filter"]?.array ?? []).compactMap(\.string) + [call.text("scenario")].compactMap(\.self)
    for filter in filters { arguments.append("--filter=" + filter) }
    for tag in call.arguments["tags"]?.array ?? [] { arguments.append("--tags=" + (tag.string ?? "")) }
    if call.bool("coverage") { arguments.append("--coverage") }
    let result = try await observing(call.progress) { () throws(MCPToolFailure) in
      try await call.run(arguments + [path])
    }
    guard var json = result.json, let tests = json["tests"]?.array else { return result.failure }
    // List failures first, because a long list is shortened at the end.
    json["tests"] = .array(tests.filter { $0["failure"] != nil } + tests.filter { $0["failure"] == nil })
    return MCPToolResult(result.adding(to: json), isError: result.status != .success)
  }

  static let explore = MCPTool(
    name: "explore", title: "Find unreachable steps, endless loops, and untested paths",
    description: """
      Follows every outcome of every step of a workflow. Reports unreachable steps, endless loops, and outcomes that the \
      workflow does not handle. For each path, returns the shortest scenario that takes it, which was run on the emulator.
      """,
    parameters: [
      .path("Workflow or scenarios file"),
      MCPParameter(
        name: "depth", kind: .number(1...8), description: "Number of unsuccessful outcomes in a path (default: 1)"),
      MCPParameter(name: "strict", kind: .bool, description: "Treat unhandled outcomes as failures"),
    ],
    output: object(
      [
        "title": string, "file": string, "complete": boolean, "findings": list(of: anyObject),
        "unhandled": list(of: anyObject, "outcomes that the workflow does not handle"),
        "paths": list(of: anyObject, "paths with the scenarios that take them"), "proven": integer,
        "unproven": integer, "different": integer, "states": integer,
      ], required: ["findings", "paths", "unhandled"])
  ) { call throws(MCPToolFailure) in
    let path = try call.project.checkedFile(call.text("path") ?? "")
    var arguments = ["explore", "--format", "json"]
    if let depth = call.arguments["depth"]?.integer { arguments += ["--depth", "\(depth)"] }
    if call.bool("strict") { arguments.append("--strict") }
    return try await observing(call.progress) { () throws(MCPToolFailure) in
      try await call.run(arguments + [path])
    }.objectResult
  }

  /// Runs a command and sends the progress of its scenarios to the client.
  private static func observing(
    _ progress: MCPProgress, _ command: () async throws(MCPToolFailure) -> MCPProject.CommandResult
  ) async throws(MCPToolFailure) -> MCPProject.CommandResult {
    let receiver = ScenarioProgress { progress.report($0, of: $1, $2) }
    let outcome = await ScenarioProgress.$current.withValue(receiver) {
      do throws(MCPToolFailure) {
        return Result<MCPProject.CommandResult, MCPToolFailure>.success(try await command())
      } catch {
        return .failure(error)
      }
    }
    return try outcome.get()
  }
}
