import Diagnostics
import Documents
import Scenarios
import WorkflowModel
import WorkflowRunner

/// Every scenario of every shipped workflow, run once for all the tests that look at what came.
actor ShippedRuns {
  static let shared = ShippedRuns()
  private var known: [String: Task<[(test: ScenarioCase, report: ScenarioReport)], Never>] = [:]

  func of(_ loaded: LoadedWorkflow) async -> [(test: ScenarioCase, report: ScenarioReport)] {
    let file = loaded.workflow.document.source.name
    if let task = known[file] { return await task.value }
    let task = Task {
      var runs: [(test: ScenarioCase, report: ScenarioReport)] = []
      for test in loaded.cases().cases {
        runs.append((test, await test.run(in: ShippedScenariosTests.world, tool: "test")))
      }
      return runs
    }
    known[file] = task
    return await task.value
  }

  /// What came of one of them; names are unique in a file.
  func of(_ test: ScenarioCase) async -> ScenarioReport? {
    await of(test.loaded).first { $0.test.name == test.name }?.report
  }
}
