import Debugging
import Diagnostics
import Documents
import Effects
import Reports
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

// Requests that start and end the session and its run.

extension DebugAdapter {
  func initialize(_ arguments: JSON) throws(DebugFailure) -> Reply {
    let isFirst = state.withLock { state in
      defer {
        state.isInitialized = true
        state.linesStartAt1 = arguments["linesStartAt1"]?.bool ?? true
        state.columnsStartAt1 = arguments["columnsStartAt1"]?.bool ?? true
        state.supportsInvalidatedEvent = arguments["supportsInvalidatedEvent"]?.bool ?? false
      }
      return !state.isInitialized
    }
    guard isFirst else { throw DebugFailure("the session is already initialized") }
    let filters = BreakpointTable.Filter.allCases.map { filter -> JSON in
      [
        "filter": .string(filter.rawValue), "label": .string(filter.label),
        "description": .string(filter.description), "default": .bool(filter == .failedExpectation),
      ]
    }
    var reply = Reply([
      "supportsConfigurationDoneRequest": true, "supportsFunctionBreakpoints": true,
      "supportsConditionalBreakpoints": true, "supportsHitConditionalBreakpoints": true, "supportsLogPoints": true,
      "supportsBreakpointLocationsRequest": true, "supportsEvaluateForHovers": true, "supportsStepBack": true,
      "supportsRestartRequest": true, "supportsTerminateRequest": true, "supportsExceptionInfoRequest": true,
      "supportsLoadedSourcesRequest": true, "supportsDelayedStackTraceLoading": true,
      "supportsCompletionsRequest": true, "completionTriggerCharacters": [".", " ", "{"], "supportsSetVariable": false,
      "exceptionBreakpointFilters": .array(filters),
    ])
    reply.afterwards = { self.send(event: "initialized") }
    return reply
  }

  func launch(_ json: JSON) throws(DebugFailure) -> Reply {
    guard session.program == nil else { throw DebugFailure("the session already has a program") }
    let program = try DebugProgram.load(DebugProgram.Arguments(json), definitions: definitions, in: world)
    session.load(program)
    session.breakpoints.setEnabled(program.arguments.isDebugging)
    var reply = Reply()
    reply.afterwards = { self.bindBreakpoints() }
    if state.withLock({ $0.isConfigured }) { reply.work = start(program) }
    return reply
  }

  func configurationDone() throws(DebugFailure) -> Reply {
    let isFirst = state.withLock { state in
      defer { state.isConfigured = true }
      return !state.isConfigured
    }
    guard isFirst else { throw DebugFailure("the configuration is already complete") }
    var reply = Reply()
    if let program = session.program { reply.work = start(program) }
    return reply
  }

  /// Reads the files again and starts the run from the beginning.
  func restart(_ json: JSON) throws(DebugFailure) -> Reply {
    guard let current = session.program else { throw DebugFailure("no program has been launched") }
    let arguments = try json["arguments"].map { json throws(DebugFailure) in
      try DebugProgram.Arguments(json["program"] == nil ? current.arguments.completing(json) : json)
    }
    let program = try DebugProgram.load(arguments ?? current.arguments, definitions: definitions, in: world)
    session.load(program)
    session.breakpoints.setEnabled(program.arguments.isDebugging)
    var reply = Reply()
    reply.afterwards = { self.bindBreakpoints() }
    if state.withLock({ $0.isConfigured }) { reply.work = start(program) }
    return reply
  }

  /// Ends the run, as Ctrl-C does for `authflow run`.
  func terminate() -> Reply {
    let hasEnded = session.hasEnded
    let wasRunning = session.end()
    var reply = Reply()
    reply.afterwards = {
      guard !hasEnded else { return }
      if wasRunning { self.send(event: "exited", ["exitCode": 130]) }
      self.send(event: "terminated")
    }
    return reply
  }

  func disconnect() -> Reply {
    var reply = Reply()
    reply.endsSession = true
    return reply
  }

  // MARK: Executions

  /// Returns a function that runs the program from the beginning.
  private func start(_ program: DebugProgram) -> DebugSession.Execution? {
    session.start(
      stopsOnEntry: program.arguments.stopsOnEntry && program.arguments.isDebugging, observer: self)
  }

  /// Returns the receivers that send the events of an execution to the client.
  package func executionOutput() -> ExecutionOutput {
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    let report = Mutex(TerminalRunReport(style: style, detail: .normal))
    return ExecutionOutput(
      event: { event, isRepeated in
        let text = report.withLock { $0.text(of: event) }
        if !text.isEmpty, !isRepeated { self.output(text, category: "stdout") }
      },
      ended: { result, program in
        let rest = report.withLock { $0.rest() }
        if !rest.isEmpty { self.output(rest, category: "stdout") }
        self.reportResult(result, of: program)
        // The application object could not be created, so no step ran.
        let isRefused = !program.hasScenario && result.refusalMessage != nil
        self.send(event: "exited", ["exitCode": isRefused ? 2 : result.verdict == .passed ? 0 : 1])
        self.send(event: "terminated")
      })
  }

  /// Sends the message of a log point.
  package func log(_ message: String, at place: FileSpan?) {
    var json: JSON = [:]
    if let place {
      json["source"] = source(place.source.name)
      json["line"] = clientLine(place.start.line)
    }
    output(CaretFrame.visible(message) + "\n", category: "console", at: json)
  }

  private func reportResult(_ result: ScenarioReport, of program: DebugProgram) {
    let name = CaretFrame.visible(program.test.name)
    guard result.verdict != .passed else { return output("passed: \(name)\n", category: "stdout") }
    var lines = ["failed: \(name)"]
    for expectation in result.expectationResults where !expectation.holds && program.hasScenario {
      lines.append("  \(location(of: expectation.place))\(expectation.message)")
    }
    if let reason = result.refusalMessage { lines.append("  \(reason)") }
    for problem in result.problems {
      lines.append("  \(location(of: problem.place))\(problem.message)" + (problem.help.map { "; \($0)" } ?? ""))
    }
    output(lines.map { CaretFrame.visible($0) + "\n" }.joined(), category: "stderr")
  }

  private func location(of place: FileSpan) -> String {
    place.span == nil ? "" : "\(FilePath.name(of: place.source.name)):\(place.start.line): "
  }

  /// Reports a stop to the client. Runs on the run's task.
  package func stopped(_ stop: RunStop) {
    state.withLock { state in
      state.variables = VariableStore(
        firstID: state.variables.nextID, frameCount: max(1, stop.run.frames.count))
    }
    var body: JSON = [
      "reason": .string(stop.reason.rawValue), "description": .string(stop.description), "threadId": 1,
      "allThreadsStopped": true,
    ]
    if let exception = stop.exception { body["text"] = .string(exception.description) }
    if !stop.breakpoints.isEmpty {
      body["hitBreakpointIds"] = .array(stop.breakpoints.map { .integer(Int64($0)) })
    }
    send(event: "stopped", body)
  }
}

extension DebugProgram.Arguments {
  /// Returns the arguments as JSON, overridden by the members of another object.
  fileprivate func completing(_ json: JSON) -> JSON {
    var merged: JSON = [
      "program": .string(program), "inputs": inputs, "stopOnEntry": .bool(stopsOnEntry), "noDebug": .bool(!isDebugging),
    ]
    if let scenario { merged["scenario"] = .string(scenario) }
    json.forEachMember { merged[$0] = $1 }
    return merged
  }
}
