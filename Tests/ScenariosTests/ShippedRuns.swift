import Diagnostics
import Documents
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// The runs of all scenarios in all shipped workflows. Each scenario runs only once for all tests.
actor ShippedRuns {
  static let shared = ShippedRuns()
  private typealias Run = (test: ScenarioCase, report: ScenarioReport, trace: String)
  private var tasks: [String: Task<[Run], Never>] = [:]

  private func runs(of loaded: LoadedWorkflow) async -> [Run] {
    let file = loaded.workflow.document.source.name
    if let task = tasks[file] { return await task.value }
    let task = Task {
      var runs: [Run] = []
      for test in loaded.cases().cases {
        let trace = Mutex("")
        let report = await test.run(in: ShippedScenariosTests.world, tool: "test") { event in
          trace.withLock { $0 += event.line }
        }
        runs.append((test, report, trace.withLock { $0 }))
      }
      return runs
    }
    tasks[file] = task
    return await task.value
  }

  func reports(of loaded: LoadedWorkflow) async -> [(test: ScenarioCase, report: ScenarioReport)] {
    await runs(of: loaded).map { ($0.test, $0.report) }
  }

  /// Returns the result of one scenario. Scenario names are unique in a file.
  func report(of test: ScenarioCase) async -> ScenarioReport? {
    await runs(of: test.loaded).first { $0.test.name == test.name }?.report
  }

  /// Returns the trace of one scenario.
  func trace(of test: ScenarioCase) async -> String? {
    await runs(of: test.loaded).first { $0.test.name == test.name }?.trace
  }
}
