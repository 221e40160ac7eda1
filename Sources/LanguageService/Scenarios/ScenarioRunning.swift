import AppRegistration
import Diagnostics
import Documents
import Effects
import OrderedCollections
import RunTrace
import Scenarios
import Synchronization
import Validation
import WorkflowModel
import WorkflowRunner

/// The results of running a file's scenarios.
package struct ScenarioRunResult: Sendable {
  /// The absolute path of the file with the scenarios.
  package var path: String
  package var outcomes: [ScenarioOutcome]
  /// The errors that prevented the scenarios from running.
  package var diagnostics: [Diagnostic] = []
  /// Whether the outcomes include all scenarios in the file.
  package var isComplete = false

  package var passed: Bool { diagnostics.isEmpty && outcomes.allSatisfy { $0.status == .passed } }
}

extension WorkspaceSnapshot {
  /// Runs a workflow's scenarios on the emulator. If the workflow has no scenarios, runs the workflow itself.
  /// - Parameters:
  ///   - path: The workflow or the scenarios file.
  ///   - name: The name of a scenario, which includes all rows of its matrix, or nil for all scenarios.
  ///   - sink: The receiver of the trace events.
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
      result.outcomes.append(await test.outcome(in: world, tool: tool, sink: sink))
    }
    return result
  }

  /// Reads a workflow and all files that it refers to.
  /// - Parameter onLoad: A closure that is called with the name of each file.
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

  /// Returns the absolute path of the file with the scenarios of a workflow, or nil if the workflow has errors.
  package func scenarioFile(of workflow: String) -> String? {
    loadWorkflow(workflow).loaded.map { path(of: $0.workflow.scenarioFileName) }
  }

  /// Returns the workflows with scenarios that depend on a file, as absolute paths.
  package func workflows(dependingOn path: String) -> [String] {
    let path = self.path(of: path)
    return project.files.filter { $0.kind == .workflow || $0.kind == .scenarios }.compactMap { file in
      guard !Task.isCancelled else { return nil }
      // A workflow with a scenarios file runs under the workflow's name.
      if file.kind == .scenarios { return nil }
      let loads = Mutex<Set<String>>([])
      _ = loadWorkflow(file.name) { name in _ = loads.withLock { $0.insert(name) } }
      let names = loads.withLock { $0 }
      return names.contains { self.path(of: $0) == path } ? self.path(of: file.name) : nil
    }
  }
}

extension ScenarioCase {
  /// Runs the scenario and returns its result.
  func outcome(in world: World, tool: String, sink: (@Sendable (TraceEvent) -> Void)?) async -> ScenarioOutcome {
    let values = LastValues()
    let report = await run(in: world, tool: tool, debugger: values, sink: sink)
    return ScenarioOutcome(self, report, values.context)
  }
}

extension ScenarioOutcome {
  /// - Parameter test: The scenario. If the workflow itself ran, the scenario's name is empty.
  fileprivate init(_ test: ScenarioCase, _ report: ScenarioReport, _ context: EvaluationContext?) {
    self.context = context
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

/// A debugger that records the results and variables at the end of a run.
private final class LastValues: RunDebugger {
  /// Larger results are not stored, because an editor session can run many scenarios.
  private static let maximumBytes = 64 << 10

  private let values = Mutex<EvaluationContext?>(nil)

  var context: EvaluationContext? { values.withLock { $0 } }

  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool {
    // The expectations of the scenario are evaluated after the last step.
    guard case .expectation = point, run.frames.isEmpty, context == nil else { return true }
    var context = run.context(of: nil)
    var facts = StepFacts()
    for (id, results) in context.facts.runs {
      for result in results { facts.record(id, Self.shortened(run.mask(result))) }
    }
    context.facts = facts
    context.scope = ValueScope(names: context.scope.names.mapValues { Self.shortened(run.mask($0)) })
    values.withLock { $0 = context }
    return true
  }

  private static func shortened(_ value: JSON) -> JSON {
    guard value.text().utf8.count > maximumBytes else { return value }
    var members = value.object ?? [:]
    members["$"] = nil
    return .object(members)
  }
}
