import OrderedCollections
import Reports
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Measures the coverage of each workflow in a test run.
final class SuiteCoverage: Sendable {
  private let tallies: Mutex<OrderedDictionary<String, CoverageTally>>

  /// - Parameter entries: The selected scenarios of all shards. Each shard's result lists all workflows, even if the
  ///   shard does not run them, because `merge` needs the complete list to combine the coverage.
  init(_ entries: [SuiteEntry]) {
    var tallies: OrderedDictionary<String, CoverageTally> = [:]
    for entry in entries where tallies[entry.test.workflowFile] == nil {
      tallies[entry.test.workflowFile] = CoverageTally(entry.test.loaded.workflow)
    }
    self.tallies = Mutex(tallies)
  }

  /// Adds the coverage of a scenario, even if it failed. A scenario that could not run has no coverage.
  func add(_ entry: SuiteEntry, _ report: ScenarioReport) {
    guard let transitions = report.result?.transitions else { return }
    tallies.withLock { _ = $0[entry.test.workflowFile]?.record(transitions) }
  }

  /// The coverage of each workflow, in search order.
  var records: [CoverageRecord] { tallies.withLock { $0.values.map(\.report) } }
}
