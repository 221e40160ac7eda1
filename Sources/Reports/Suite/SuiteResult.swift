import Effects
import WorkflowModel

/// What a run of many scenarios came to: what is shown, written to files, and joined by `merge`.
package struct SuiteResult: Sendable {
  package enum Ending: String, Sendable, CaseIterable {
    /// Everything that was chosen was run.
    case complete
    /// A failure ended it, as was asked for.
    case stopped
    /// Somebody ended it.
    case interrupted
  }

  /// A part of a suite that is divided among machines; both count from 1.
  package struct Shard: Sendable, Hashable {
    package var index: Int
    package var total: Int

    package init(index: Int, total: Int) {
      self.index = index
      self.total = total
    }

    package var words: String { "\(index)/\(total)" }
  }

  /// The program and its version.
  package var tool: String
  package var started: Instant
  package var duration: Duration = .zero
  /// How many scenarios ran at the same time.
  package var jobs = 1
  /// How often each was run.
  package var repeats = 1
  /// What the order was shuffled by; nil where it was the written one.
  package var seed: String?
  package var shard: Shard?
  /// Stands for what was chosen, before it was divided: shards of one suite agree in it.
  package var fingerprint = ""
  /// How many scenarios were chosen, before they were divided.
  package var chosen = 0
  package var ending = Ending.complete
  /// In the order in which they are written.
  package var tests: [TestResult] = []
  /// Which steps, outcomes and transitions were covered, where that was asked for.
  package var coverage: [CoverageRecord]?

  package init(tool: String, started: Instant) {
    self.tool = tool
    self.started = started
  }

  package func count(_ verdict: TestResult.Status) -> Int { tests.count { $0.verdict == verdict } }

  /// Those that did not pass and were run.
  package var failures: [TestResult] { tests.filter { $0.verdict == .failed || $0.verdict == .error } }

  package var hasPassed: Bool { ending == .complete && tests.allSatisfy { $0.verdict == .passed } }

  /// By file, in the order in which the files come.
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
