import Effects
import WorkflowModel

/// The result of a suite.
package struct SuiteResult: Sendable {
  package enum Ending: String, Sendable, CaseIterable {
    /// All selected scenarios ran.
    case complete
    /// The suite stopped at the first failure (`--fail-fast`).
    case stopped
    /// The suite was interrupted.
    case interrupted
  }

  /// One shard of a suite. Shard numbers start at 1.
  package struct Shard: Sendable, Hashable {
    package var index: Int
    package var total: Int

    package init(index: Int, total: Int) {
      self.index = index
      self.total = total
    }

    package var description: String { "\(index)/\(total)" }
  }

  /// The name and version of the program.
  package var tool: String
  package var started: Instant
  package var duration: Duration = .zero
  /// The number of scenarios that run at the same time.
  package var jobs = 1
  /// The number of times that each scenario runs.
  package var repeats = 1
  /// The seed of the shuffled order, or nil for the source order.
  package var seed: String?
  package var shard: Shard?
  /// A fingerprint of the scenario selection before sharding. All shards of a suite have the same fingerprint.
  package var fingerprint = ""
  /// The number of selected scenarios before sharding.
  package var chosen = 0
  package var ending = Ending.complete
  /// The results in source order.
  package var tests: [TestResult] = []
  /// The coverage, or nil if it was not requested.
  package var coverage: [CoverageRecord]?

  package init(tool: String, started: Instant) {
    self.tool = tool
    self.started = started
  }

  package func count(_ verdict: TestResult.Status) -> Int { tests.count { $0.verdict == verdict } }

  /// The scenarios that ran and did not pass.
  package var failures: [TestResult] { tests.filter { $0.verdict == .failed || $0.verdict == .error } }

  package var hasPassed: Bool { ending == .complete && tests.allSatisfy { $0.verdict == .passed } }

  /// The results by file, in order.
  package var byFile: [(file: String, tests: [TestResult])] {
    var positions: [String: Int] = [:]
    var groups: [(file: String, tests: [TestResult])] = []
    for test in tests {
      if let position = positions[test.file] {
        groups[position].tests.append(test)
      } else {
        positions[test.file] = groups.count
        groups.append((test.file, [test]))
      }
    }
    return groups
  }
}
