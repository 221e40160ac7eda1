import Debugging
import Diagnostics
import Documents
import Effects
import OrderedCollections
import Synchronization
import Trust
import WorkflowModel
import WorkflowRunner

// Requests that set breakpoints.

/// A breakpoint as the client requested it, with the ID that the adapter assigned.
struct RequestedBreakpoint: Sendable {
  let id: Int
  let json: JSON
  /// The breakpoint that was last reported to the client.
  var reported: JSON = .null
}

extension DebugAdapter {
  func setBreakpoints(_ arguments: JSON) throws(DebugFailure) -> Reply {
    let file = try sourcePath(arguments)
    let lines = arguments["lines"]?.array?.map { line -> JSON in ["line": line] }
    var requested = requests(arguments["breakpoints"]?.array ?? lines ?? [])
    let bound = bind(&requested, in: file)
    state.withLock { $0.sourceBreakpoints[file] = requested }
    session.breakpoints.set(bound, in: file)
    return Reply(["breakpoints": .array(requested.map(\.reported))])
  }

  func setFunctionBreakpoints(_ arguments: JSON) -> Reply {
    var requested = requests(arguments["breakpoints"]?.array ?? [])
    let bound = bind(functions: &requested)
    state.withLock { $0.functionBreakpoints = requested }
    session.breakpoints.set(functions: bound)
    return Reply(["breakpoints": .array(requested.map(\.reported))])
  }

  func setExceptionBreakpoints(_ arguments: JSON) throws(DebugFailure) -> Reply {
    let names = (arguments["filters"]?.array ?? []).compactMap(\.string)
    let options = (arguments["filterOptions"]?.array ?? []).compactMap { $0["filterId"]?.string }
    var filters: Set<BreakpointTable.Filter> = []
    for name in names + options {
      guard let filter = BreakpointTable.Filter(rawValue: name) else {
        let known = BreakpointTable.Filter.allCases.map { "`\($0.rawValue)`" }.joined(separator: " and ")
        throw DebugFailure("unknown exception filter `\(name.prefix(100))`; the filters are \(known)")
      }
      filters.insert(filter)
    }
    session.breakpoints.set(filters: filters)
    return Reply(["breakpoints": .array((names + options).map { _ in ["verified": true] })])
  }

  func breakpointLocations(_ arguments: JSON) throws(DebugFailure) -> Reply {
    let file = try sourcePath(arguments)
    guard let first = line(arguments["line"]) else { throw DebugFailure("missing `line`") }
    let last = line(arguments["endLine"]) ?? first
    let start = column(arguments["column"]) ?? 1
    let end = column(arguments["endColumn"]) ?? .max
    let found = try locations(in: file).all.filter { location in
      let (line, column) = (location.start.line, location.start.utf16Column)
      return line >= first && line <= last && (line > first || column >= start) && (line < last || column <= end)
    }
    return Reply(["breakpoints": .array(found.map { range(of: $0) })])
  }

  /// Binds all breakpoints to the program and reports those that changed.
  func bindBreakpoints() {
    let (sources, functions) = state.withLock { ($0.sourceBreakpoints, $0.functionBreakpoints) }
    for (file, before) in sources.sorted(by: { $0.key < $1.key }) {
      var requested = before
      session.breakpoints.set(bind(&requested, in: file), in: file)
      reportChanges(from: before, to: requested)
      state.withLock { [requested] in $0.sourceBreakpoints[file] = requested }
    }
    var requested = functions
    session.breakpoints.set(functions: bind(functions: &requested))
    reportChanges(from: functions, to: requested)
    state.withLock { [requested] in $0.functionBreakpoints = requested }
  }

  private func reportChanges(from before: [RequestedBreakpoint], to after: [RequestedBreakpoint]) {
    for (old, new) in zip(before, after) where old.reported != new.reported {
      send(event: "breakpoint", ["reason": "changed", "breakpoint": new.reported])
    }
  }

  // MARK: Binding

  private func requests(_ list: [JSON]) -> [RequestedBreakpoint] {
    state.withLock { state in
      list.map { json in
        defer { state.nextBreakpointID += 1 }
        return RequestedBreakpoint(id: state.nextBreakpointID, json: json)
      }
    }
  }

  /// Finds the locations of breakpoints in a file.
  /// - Parameter requested: The breakpoints, which receive the JSON for the client.
  private func bind(_ requested: inout [RequestedBreakpoint], in file: String) -> [Breakpoint] {
    var locations: BreakpointLocations?
    var problem: String?
    do throws(DebugFailure) { locations = try self.locations(in: file) } catch { problem = error.message }
    return requested.indices.map { index in
      let json = requested[index].json
      var breakpoint = breakpoint(requested[index])
      let line = line(json["line"])
      let found = line.flatMap { locations?.locations(line: $0, column: column(json["column"])) } ?? []
      if let problem {
        breakpoint.problem = problem
      } else if found.isEmpty {
        breakpoint.problem = "no step, `on` entry, or expectation follows this line in the same step or scenario"
      }
      if breakpoint.problem == nil { breakpoint.target = .locations(file: file, found) }
      var reported: JSON = ["id": .integer(Int64(breakpoint.id)), "verified": .bool(breakpoint.problem == nil)]
      reported["source"] = source(file)
      if let first = found.first {
        // A step's breakpoint can be on the line of its ID or of its type.
        let isOnLine = line.map { first.lines.contains($0) } ?? false
        range(of: first).forEachMember { reported[$0] = $1 }
        if isOnLine, let line { reported["line"] = clientLine(line) }
      } else if let line = json["line"] {
        reported["line"] = line
      }
      if let problem = breakpoint.problem { reported["message"] = .string(problem) }
      requested[index].reported = reported
      return breakpoint
    }
  }

  /// Finds the steps and outcomes of function breakpoints.
  private func bind(functions requested: inout [RequestedBreakpoint]) -> [Breakpoint] {
    let program = session.program
    let names = program.map { FunctionNames($0.loaded.workflow) }
    return requested.indices.map { index in
      var breakpoint = breakpoint(requested[index])
      let name = requested[index].json["name"]?.string ?? ""
      if breakpoint.problem == nil {
        do throws(DebugFailure) {
          guard let names else { throw DebugFailure("the program has not been launched yet") }
          breakpoint.target = try names.target(of: name)
        } catch {
          breakpoint.problem = error.message
        }
      }
      var reported: JSON = ["id": .integer(Int64(breakpoint.id)), "verified": .bool(breakpoint.problem == nil)]
      if let problem = breakpoint.problem { reported["message"] = .string(problem) }
      requested[index].reported = reported
      return breakpoint
    }
  }

  /// Reads the conditions of a breakpoint.
  private func breakpoint(_ requested: RequestedBreakpoint) -> Breakpoint {
    var breakpoint = Breakpoint(id: requested.id, target: .none)
    let json = requested.json
    do throws(RunExpression.SyntaxError) {
      if let text = json["condition"]?.string, !text.isEmpty { breakpoint.condition = try RunExpression(parsing: text) }
    } catch {
      breakpoint.problem = "invalid condition: \(error.message)"
    }
    if let text = json["hitCondition"]?.string, !text.isEmpty {
      breakpoint.hitCondition = HitCondition(text)
      if breakpoint.hitCondition == nil {
        breakpoint.problem = "invalid hit condition: use a condition such as `3`, `>= 2`, or `% 2`"
      }
    }
    do throws(RunExpression.SyntaxError) {
      if let text = json["logMessage"]?.string, !text.isEmpty { breakpoint.logMessage = try LogMessage(parsing: text) }
    } catch {
      breakpoint.problem = "invalid log message: \(error.message)"
    }
    return breakpoint
  }

  // MARK: Files

  private func sourcePath(_ arguments: JSON) throws(DebugFailure) -> String {
    guard let path = arguments["source"]?["path"]?.string, !path.isEmpty else {
      throw DebugFailure("missing `source.path`")
    }
    return absolutePath(path)
  }

  /// Returns the locations in one of the program's files, or in another workflow or scenarios file.
  private func locations(in file: String) throws(DebugFailure) -> BreakpointLocations {
    if let program = session.program {
      for (name, entry) in program.documents where absolutePath(name) == file {
        return BreakpointLocations(entry.workflow, in: entry.document)
      }
    }
    let reader = ProjectReader(inputs: [file], in: world)
    let reading = reader.projectDocument(at: file, options: ReadingOptions())
    let (workflow, diagnostics) = WorkflowDecoder.read(reading) {
      reader.projectDocument(at: $0, options: ReadingOptions())
    }
    guard let document = reading.document, let workflow else { throw DebugFailure(diagnostics) }
    return BreakpointLocations(workflow, in: document)
  }

  private func range(of location: BreakpointLocation) -> JSON {
    [
      "line": clientLine(location.start.line), "column": clientColumn(location.start.utf16Column),
      "endLine": clientLine(location.end.line), "endColumn": clientColumn(location.end.utf16Column),
    ]
  }
}

/// The names of function breakpoints: step IDs, `STEP.OUTCOME`, and outcomes.
struct FunctionNames {
  /// The steps by full ID, including steps of nested workflows.
  private var steps: [(id: String, step: Step)] = []

  init(_ workflow: Workflow) { add(workflow, prefix: "") }

  private mutating func add(_ workflow: Workflow, prefix: String) {
    for step in workflow.steps + workflow.finally {
      steps.append((prefix + step.id, step))
      switch step.action {
      case .parallel(let members): for member in members { steps.append((prefix + member.id, member)) }
      case .use(let use): if let inner = use.workflow { add(inner, prefix: prefix + step.id + "/") }
      default: break
      }
    }
  }

  func target(of name: String) throws(DebugFailure) -> Breakpoint.Target {
    if steps.contains(where: { $0.id == name }) { return .step(name) }
    guard let dot = name.lastIndex(of: ".") else {
      if let outcome = OutcomeName(rawValue: name), steps.contains(where: { $0.step.outcome(named: outcome) != nil }) {
        return .outcome(step: nil, outcome)
      }
      throw unknown("step or outcome", name, among: steps.map(\.id) + outcomes)
    }
    let id = String(name[..<dot])
    let text = String(name[name.index(after: dot)...])
    guard let step = steps.first(where: { $0.id == id })?.step else {
      throw unknown("step", id, among: steps.map(\.id))
    }
    guard let outcome = OutcomeName(rawValue: text), step.outcome(named: outcome) != nil else {
      throw unknown("outcome", text, among: step.outcomes.map(\.name.rawValue))
    }
    return .outcome(step: id, outcome)
  }

  private var outcomes: [String] { steps.flatMap { $0.step.outcomes.map(\.name.rawValue) } }

  private func unknown(_ kind: String, _ name: String, among names: [String]) -> DebugFailure {
    let suggestion = Suggestion.nearest(to: name, among: names).map { "; did you mean `\($0)`?" } ?? ""
    return DebugFailure("unknown \(kind) `\(name.prefix(100))`\(suggestion)")
  }
}
