import OrderedCollections
import Reports
import Scenarios
import Synchronization
import WorkflowModel
import WorkflowRunner

/// Counts what the scenarios of a suite cover, each workflow by itself.
final class SuiteCoverage: Sendable {
  private let tallies: Mutex<OrderedDictionary<String, CoverageTally>>

  /// - Parameter entries: what was chosen, before it was divided: shards that ran nothing of a workflow tell of it all the
  ///   same, so that they can be added up.
  init(_ entries: [SuiteEntry]) {
    var tallies: OrderedDictionary<String, CoverageTally> = [:]
    for entry in entries where tallies[entry.test.workflowFile] == nil {
      tallies[entry.test.workflowFile] = CoverageTally(entry.test.loaded.workflow)
    }
    self.tallies = Mutex(tallies)
  }

  /// Counts a scenario, whether it passed or not. One that could not be run went no way.
  func take(_ entry: SuiteEntry, _ report: ScenarioReport) {
    guard let transitions = report.result?.transitions else { return }
    tallies.withLock { _ = $0[entry.test.workflowFile]?.take(transitions) }
  }

  /// In the order in which the workflows were found.
  var records: [CoverageRecord] { tallies.withLock { $0.values.map(\.report) } }
}
