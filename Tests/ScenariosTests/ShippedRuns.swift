import Diagnostics
import Documents
import RunTrace
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Every scenario of every shipped workflow, run once for all the tests that look at what came.
actor ShippedRuns {
  static let shared = ShippedRuns()
  /// - told: the lines of the trace.
  private typealias Run = (test: ScenarioCase, report: ScenarioReport, told: String)
  private var known: [String: Task<[Run], Never>] = [:]

  private func runs(of loaded: LoadedWorkflow) async -> [Run] {
    let file = loaded.workflow.document.source.name
    if let task = known[file] { return await task.value }
    let task = Task {
      var runs: [Run] = []
      for test in loaded.cases().cases {
        let told = Mutex("")
        let report = await test.run(in: ShippedScenariosTests.world, tool: "test") { event in
          told.withLock { $0 += event.line }
        }
        runs.append((test, report, told.withLock { $0 }))
      }
      return runs
    }
    known[file] = task
    return await task.value
  }

  func of(_ loaded: LoadedWorkflow) async -> [(test: ScenarioCase, report: ScenarioReport)] {
    await runs(of: loaded).map { ($0.test, $0.report) }
  }

  /// What came of one of them; names are unique in a file.
  func of(_ test: ScenarioCase) async -> ScenarioReport? {
    await runs(of: test.loaded).first { $0.test.name == test.name }?.report
  }

  /// What one of them told.
  func told(of test: ScenarioCase) async -> String? {
    await runs(of: test.loaded).first { $0.test.name == test.name }?.told
  }
}
