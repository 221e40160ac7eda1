import AppRegistration
import Diagnostics
import Documents
import RunTrace
import Scenarios
import Synchronization
import Validation
import WorkflowModel
import WorkflowRunner

/// The scenarios of a file that ran.
package struct ScenarioRunResult: Sendable {
  /// The absolute path of the file with the scenarios.
  package var path: String
  package var outcomes: [ScenarioOutcome]
  /// The errors because of which no scenario ran.
  package var diagnostics: [Diagnostic] = []
  /// Whether the outcomes are those of all scenarios.
  package var isComplete = false

  package var passed: Bool { diagnostics.isEmpty && outcomes.allSatisfy { $0.status == .passed } }
}

extension WorkspaceSnapshot {
  /// Runs scenarios of a workflow on the emulator. Without scenarios, runs the workflow itself.
  /// - Parameters:
  ///   - path: The workflow or the scenarios file.
  ///   - name: The name of a scenario, which includes all rows of its matrix, or nil for all scenarios.
  ///   - sink: Receives the events of the trace.
  package func run(
    _ path: String, scenario name: String? = nil, tool: String, sink: (@Sendable (TraceEvent) -> Void)? = nil
  ) async -> ScenarioRunResult {
    let (loaded, diagnostics) = loadWorkflow(path)
    guard let loaded, !diagnostics.hasErrors else {
      return ScenarioRunResult(
        path: self.path(of: path), outcomes: [], diagnostics: diagnostics.filter { $0.severity == .error })
    }
    let file = self.path(of: loaded.workflow.scenarioFileName)
    var result = ScenarioRunResult(path: file, outcomes: [], isComplete: name == nil)
    var (cases, problems) = loaded.cases()
    if cases.isEmpty, name == nil {
      result.path = self.path(of: loaded.workflow.document.source.name)
      cases = [loaded.caseOfWorkflow]
    }
    let selected = cases.filter { name == nil || $0.name == name || $0.name.hasPrefix("\(name ?? "") (") }
    problems = problems.filter { $0.severity == .error }
    if selected.isEmpty, let name {
      problems = [
        Diagnostic(
          .error, rule: "unknown-scenario",
          "no scenario `\(name.prefix(200))` in `\(loaded.workflow.scenarioFileName)`",
          help: Suggestion.nearest(to: name, among: cases.map(\.name)).map { "did you mean `\($0)`?" },
          at: .file(loaded.workflow.scenarioFileName))
      ]
    }
    guard problems.isEmpty else {
      result.diagnostics = problems
      return result
    }
    for test in selected where !Task.isCancelled {
      result.outcomes.append(ScenarioOutcome(test, await test.run(in: world, tool: tool, sink: sink)))
    }
    return result
  }

  /// Reads a workflow and all files to which it refers.
  /// - Parameter onLoad: Called with the name of each file.
  package func loadWorkflow(
    _ path: String, onLoad: @escaping @Sendable (String) -> Void = { _ in }
  ) -> (loaded: LoadedWorkflow?, diagnostics: [Diagnostic]) {
    var definitions = Definitions(configurations.definitions)
    definitions.severity = .note
    return LoadedWorkflow.read(name(of: path), definitions: definitions) { [self] path, options in
      onLoad(path)
      return load(path, options)
    }
  }

  /// Returns the workflows with scenarios that depend on a file, as absolute paths.
  package func workflows(dependingOn path: String) -> [String] {
    let path = self.path(of: path)
    return project.files.filter { $0.kind == .workflow || $0.kind == .scenarios }.compactMap { file in
      guard !Task.isCancelled else { return nil }
      // A workflow with a scenarios file runs under the name of the workflow.
      if file.kind == .scenarios { return nil }
      let loads = Mutex<Set<String>>([])
      _ = loadWorkflow(file.name) { name in _ = loads.withLock { $0.insert(name) } }
      let names = loads.withLock { $0 }
      return names.contains { self.path(of: $0) == path } ? self.path(of: file.name) : nil
    }
  }
}

extension ScenarioOutcome {
  /// - Parameter test: The scenario. The scenario of a workflow itself has an empty name.
  init(_ test: ScenarioCase, _ report: ScenarioReport) {
    name = test.name
    path = report.result?.path ?? []
    place = test.scenario.place
    values = Dictionary(report.expectationResults.map { ($0.subject, $0.result.actual) }) { first, _ in first }
    failures =
      report.expectationResults.filter { !$0.holds }.map {
        Failure(rule: Self.failedExpectation, message: $0.message, place: $0.place)
      } + report.problems.map { Failure(rule: $0.rule, message: $0.message, help: $0.help, place: $0.place) }
    status =
      switch report.verdict {
      case .passed: .passed
      case .failed: .failed
      case .error: .error
      }
  }
}
