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
  func initialize(_ arguments: JSON) throws(DebugRequestFailure) -> Reply {
    let isFirst = state.withLock { state in
      defer {
        state.isInitialized = true
        state.linesStartAt1 = arguments["linesStartAt1"]?.bool ?? true
        state.columnsStartAt1 = arguments["columnsStartAt1"]?.bool ?? true
        state.supportsInvalidatedEvent = arguments["supportsInvalidatedEvent"]?.bool ?? false
      }
      return !state.isInitialized
    }
    guard isFirst else { throw DebugRequestFailure("the session is already initialized") }
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

  func launch(_ json: JSON) throws(DebugRequestFailure) -> Reply {
    guard state.withLock({ $0.program == nil }) else { throw DebugRequestFailure("the session has a program already") }
    let program = try DebugProgram.load(DebugProgram.Arguments(json), definitions: definitions, in: world)
    let isConfigured = state.withLock { state in
      state.program = program
      return state.isConfigured
    }
    breakpoints.setEnabled(program.arguments.isDebugging)
    var reply = Reply()
    reply.afterwards = { self.bindBreakpoints() }
    if isConfigured { reply.work = start(program) }
    return reply
  }

  func configurationDone() throws(DebugRequestFailure) -> Reply {
    let (program, isFirst) = state.withLock { state in
      defer { state.isConfigured = true }
      return (state.program, !state.isConfigured)
    }
    guard isFirst else { throw DebugRequestFailure("the configuration is already complete") }
    var reply = Reply()
    if let program { reply.work = start(program) }
    return reply
  }

  /// Reads the files again, and starts the run from the beginning.
  func restart(_ json: JSON) throws(DebugRequestFailure) -> Reply {
    guard let current = state.withLock({ $0.program }) else { throw DebugRequestFailure("nothing was launched") }
    let arguments = try json["arguments"].map { json throws(DebugRequestFailure) in
      try DebugProgram.Arguments(json["program"] == nil ? current.arguments.completing(json) : json)
    }
    let program = try DebugProgram.load(arguments ?? current.arguments, definitions: definitions, in: world)
    let (control, isConfigured) = state.withLock { state in
      state.program = program
      return (state.control, state.isConfigured)
    }
    breakpoints.setEnabled(program.arguments.isDebugging)
    var reply = Reply()
    reply.afterwards = {
      control?.abort()
      self.bindBreakpoints()
    }
    if isConfigured { reply.work = start(program) }
    return reply
  }

  /// Ends the run, as Ctrl-C does for `authflow run`.
  func terminate() -> Reply {
    let (control, hasEnded) = state.withLock { state in
      defer {
        state.control = nil
        state.stop = nil
        state.execution += 1
        state.hasEnded = true
      }
      return (state.control, state.hasEnded)
    }
    var reply = Reply()
    reply.afterwards = {
      control?.abort()
      guard !hasEnded else { return }
      if control != nil { self.send(event: "exited", ["exitCode": 130]) }
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

  /// Returns the work that runs the program from the beginning.
  func start(_ program: DebugProgram) -> @Sendable () async -> Void {
    let (control, number) = control(
      program.arguments.stopsOnEntry && program.arguments.isDebugging ? .entry : .run, program)
    return { await self.execute(program, control, number) }
  }

  /// Makes a new execution the current one.
  func control(
    _ mode: RunControl.Mode, _ program: DebugProgram, simulated: [RunControl.SimulatedEvents] = []
  ) -> (control: RunControl, number: Int) {
    let number = state.withLock { state in
      state.execution += 1
      state.stop = nil
      state.hasEnded = false
      return state.execution
    }
    let events = RunControlEvents(
      stopped: { stop in self.stopped(stop, number) },
      log: { message, place in
        var json: JSON = [:]
        if let place {
          json["source"] = self.source(place.source.name)
          json["line"] = self.clientLine(place.start.line)
        }
        self.output(CaretFrame.visible(message) + "\n", category: "console", at: json)
      })
    let control = RunControl(
      mode, breakpoints: breakpoints, hasScenario: program.hasScenario, simulated: simulated, events: events)
    state.withLock { state in if state.execution == number { state.control = control } }
    return (control, number)
  }

  /// Runs the program to its end, and reports the result unless another execution has replaced this one.
  func execute(_ program: DebugProgram, _ control: RunControl, _ number: Int) async {
    let style = TerminalStyle(color: false, unicode: true, width: 100)
    let report = Mutex(TerminalRunReport(style: style, detail: .normal))
    let result = await program.test.run(in: world, tool: tool, debugger: control) { event in
      let text = report.withLock { $0.text(of: event) }
      if !text.isEmpty, !control.isQuiet, !control.isAborted { self.output(text, category: "stdout") }
    }
    let isCurrent = state.withLock { state in
      guard state.execution == number, !control.isAborted else { return false }
      state.control = nil
      state.stop = nil
      state.hasEnded = true
      return true
    }
    guard isCurrent else { return }
    let rest = report.withLock { $0.rest() }
    if !rest.isEmpty { output(rest, category: "stdout") }
    reportResult(result, of: program)
    // The application object could not be created, so nothing ran.
    let isRefused = !program.hasScenario && result.refusalMessage != nil
    send(event: "exited", ["exitCode": isRefused ? 2 : result.verdict == .passed ? 0 : 1])
    send(event: "terminated")
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

  /// Called on the task of the run when it stops.
  private func stopped(_ stop: RunStop, _ number: Int) {
    let isCurrent = state.withLock { state in
      guard state.execution == number else { return false }
      state.stop = stop
      state.variables = VariableStore(
        firstID: state.variables.nextID, frameCount: max(1, stop.run.frames.count))
      return true
    }
    guard isCurrent else { return }
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

extension RunStop {
  /// A sentence fragment for the client: `before silent`.
  fileprivate var description: String {
    let step = run.frames.last?.id
    switch point {
    case .step: return "before \(step ?? "a step")"
    case .outcome(let outcome, let transition):
      return "after \(step ?? "a step").\(outcome)" + (transition.map { ", before \($0.to)" } ?? "")
    case .expectation(let result): return "at the expectation \(result.subject)"
    }
  }
}
