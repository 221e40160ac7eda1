import Diagnostics
import Documents
import Reports
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

extension WorkspaceSnapshot {
  /// Runs a scenario, or the workflow itself, and returns the run's HTML report.
  package func report(
    _ path: String, scenario name: String?, tool: String
  ) async -> (result: ScenarioRunResult, html: String?) {
    let (result, page) = await reportPage(path, scenario: name, tool: tool)
    return (result, page?.html())
  }

  /// Runs a scenario, or the workflow itself, and returns the run's report.
  /// - Parameter name: The name of a scenario, or nil for the workflow. If the scenario has a matrix, only the first
  ///   row runs.
  /// - Returns: The result and the report. The report is nil if no scenario ran.
  package func reportPage(
    _ path: String, scenario name: String?, tool: String
  ) async -> (result: ScenarioRunResult, page: RunPage?) {
    let (loaded, diagnostics) = loadWorkflow(path)
    guard let loaded, !diagnostics.hasErrors else {
      let errors = diagnostics.filter { $0.severity == .error }
      return (ScenarioRunResult(path: self.path(of: path), outcomes: [], diagnostics: errors), nil)
    }
    let test: ScenarioCase
    if let name {
      guard let found = loaded.firstCase(of: name) else {
        return (await run(path, scenario: name, tool: tool), nil)
      }
      test = found
    } else {
      test = loaded.caseOfWorkflow
    }
    let reader = Mutex(TraceReader(named: path))
    let outcome = await test.outcome(in: world, tool: tool) { event in
      reader.withLock { _ = $0.take(Array(event.line.utf8)) }
    }
    let file = name == nil ? loaded.workflow.document.source.name : loaded.workflow.scenarioFileName
    let result = ScenarioRunResult(path: self.path(of: file), outcomes: [outcome])
    return (result, reader.withLock { $0.finish().tracedRun }.map { RunPage(tracedRun: $0) })
  }
}
