import Diagnosis
import Diagnostics
import Documents
import LanguageService
import Synchronization

extension LanguageServer {
  /// Answers `workspace/executeCommand`.
  func execute(_ params: JSON) async throws(RPCError) -> JSON {
    let name = params["command"]?.string ?? ""
    let arguments = params["arguments"]?.array ?? []
    if name == LSPScenarios.diagnoseCommand { return try diagnose(arguments.first) }
    guard let command = LSPScenarios.Command(rawValue: name) else {
      throw .invalidParams("unknown command `\(name.prefix(100))`")
    }
    guard let uri = arguments.first?.string else {
      throw .invalidParams("`\(name)` requires the URI of a file as its first argument")
    }
    guard arguments.count < 2 || arguments[1].string != nil || arguments[1].isNull else {
      throw .invalidParams("the second argument of `\(name)` must be the name of a scenario")
    }
    let path = DocumentURI.path(of: uri)
    // Assign the run's number before reading the text, so that a run with a higher number never uses an older text.
    let number = beginRun()
    guard let snapshot = workspace(of: path)?.snapshot(), snapshot.document(at: path) != nil else {
      throw .invalidParams("unknown document \(uri.prefix(200))")
    }
    let scenario = arguments.count > 1 ? arguments[1].string : nil
    switch command {
    case .run: return await run(path, scenario: scenario, in: snapshot, number)
    case .debug:
      var configuration: JSON = [
        "type": "authflow", "request": "launch", "name": .string(scenario ?? FilePath.name(of: path)),
        "program": .string(path),
      ]
      if let scenario { configuration["scenario"] = .string(scenario) }
      return configuration
    case .report: return try await report(path, scenario: scenario, in: snapshot, number)
    case .addScenarios: return try await addScenarios(path, in: snapshot)
    }
  }

  /// Finds the cause of a failed sign-in, as `authflow diagnose` does.
  private func diagnose(_ argument: JSON?) throws(RPCError) -> JSON {
    guard let text = argument?.string else {
      throw .invalidParams("`authflow.diagnose` requires text, such as a log, as its only argument")
    }
    let result = Diagnoser.result(of: text)
    guard result.main != nil else { throw RPCError(.requestFailed, "the text does not show a failed sign-in") }
    var json = result.json()
    json["markdown"] = .string(result.markdown())
    return json
  }

  // MARK: Runs

  private func run(
    _ path: String, scenario: String?, in snapshot: WorkspaceSnapshot, _ number: Int
  ) async -> JSON {
    let result = await snapshot.run(path, scenario: scenario, tool: tool)
    await record(result, of: number)
    return json(result, in: snapshot)
  }

  /// Returns a number for a new run, which will use the text in the next snapshot.
  private func beginRun() -> Int {
    state.withLock { state in
      state.lastRun += 1
      return state.lastRun
    }
  }

  /// Records the results of a run, except for scenarios that a later run has already finished with newer text.
  private func record(_ result: ScenarioRunResult, of number: Int) async {
    // The results of a canceled run are incomplete.
    guard !Task.isCancelled else { return }
    state.withLock { state in
      let recorded = state.recordedRuns[result.path] ?? [:]
      let outcomes = result.outcomes.filter { recorded[$0.name] ?? 0 <= number }
      for outcome in outcomes { state.recordedRuns[result.path, default: [:]][outcome.name] = number }
      let isComplete = result.isComplete && outcomes.count == result.outcomes.count
      state.results.record(outcomes, ofFile: result.path, isComplete: isComplete)
    }
    await refreshResults()
  }

  private func json(_ result: ScenarioRunResult, in snapshot: WorkspaceSnapshot) -> JSON {
    let client = state.withLock { $0.client }
    func location(_ place: FileSpan) -> JSON {
      [
        "uri": .string(client.uri(ofPath: snapshot.path(of: place.source.name))),
        "range": client.range(place.span ?? .at(0), in: place.source),
      ]
    }
    let scenarios = result.outcomes.map { outcome -> JSON in
      [
        "name": .string(outcome.name), "status": .string(outcome.status.rawValue),
        "path": .array(outcome.path.map { .string($0) }), "summary": .string(outcome.summary),
        "failures": .array(
          outcome.failures.map { failure in
            var json: JSON = ["message": .string(failure.message), "location": location(failure.place)]
            if let help = failure.help { json["help"] = .string(help) }
            return json
          }),
      ]
    }
    var json: JSON = [
      "status": result.passed ? "passed" : "failed", "scenarios": .array(scenarios),
    ]
    if let message = result.diagnostics.first?.message
      ?? result.outcomes.first(where: { $0.status != .passed })?.summary
    {
      json["message"] = .string(message)
    }
    if !result.diagnostics.isEmpty {
      json["errors"] = .array(
        result.diagnostics.map { ["message": .string($0.message), "location": location($0.place)] })
    }
    return json
  }

  /// Runs the scenarios that depend on a file.
  /// - Parameter onlyKnown: Whether to run only scenarios that have already run.
  func runAffectedScenarios(of path: String, onlyKnown: Bool = false) {
    let number = state.withLock { state in
      state.saveRun += 1
      return state.saveRun
    }
    startInBackground { [self] in
      let run = beginRun()
      guard let snapshot = workspace(of: path)?.snapshot() else { return }
      for workflow in snapshot.workflows(dependingOn: path) {
        guard !Task.isCancelled, state.withLock({ $0.saveRun == number }) else { return }
        if onlyKnown {
          guard let file = snapshot.scenarioFile(of: workflow), state.withLock({ $0.results.contains(file) }) else {
            continue
          }
        }
        let result = await snapshot.run(workflow, tool: tool)
        // A workflow without scenarios runs only on request.
        guard result.outcomes.contains(where: { !$0.name.isEmpty }) else { continue }
        await record(result, of: run)
      }
    }
  }

  // MARK: Other commands

  private func addScenarios(_ path: String, in snapshot: WorkspaceSnapshot) async throws(RPCError) -> JSON {
    let missing: MissingScenarioEdit
    do throws(MissingScenarioEdit.Failure) {
      missing = try await snapshot.missingScenarios(path, tool: tool)
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
    guard !Task.isCancelled, !missing.edits.isEmpty else { return ["added": 0] }
    let client = state.withLock { $0.client }
    let edit = client.workspaceEdit(missing.edits, in: snapshot)
    let response = await request("workspace/applyEdit", ["label": "Add missing scenarios", "edit": edit])
    guard response?["applied"]?.bool == true else {
      throw RPCError(.requestFailed, "the editor did not apply the edit")
    }
    return ["added": .integer(Int64(missing.count))]
  }

  /// Writes a run's report as an HTML page and asks the client to show it.
  private func report(
    _ path: String, scenario: String?, in snapshot: WorkspaceSnapshot, _ number: Int
  ) async throws(RPCError) -> JSON {
    let (result, html) = await snapshot.report(path, scenario: scenario, tool: tool)
    guard !Task.isCancelled else { return .null }
    await record(result, of: number)
    guard let html else {
      throw RPCError(.requestFailed, result.diagnostics.first?.message ?? "no scenario ran")
    }
    let file: String
    do throws(ReportFile.Failure) {
      file = try ReportFile(world: world).write(html, of: path, scenario: scenario)
    } catch {
      throw RPCError(.requestFailed, error.message)
    }
    let uri = DocumentURI.uri(of: file)
    if state.withLock({ $0.client.supports("window.showDocument.support") }) {
      startInBackground { [self] in await request("window/showDocument", ["uri": .string(uri), "external": true]) }
    }
    var json = json(result, in: snapshot)
    json["uri"] = .string(uri)
    return json
  }
}
