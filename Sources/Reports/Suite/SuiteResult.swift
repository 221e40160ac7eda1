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

  /// Information about a shard in a merged result.
  package struct ShardSummary: Sendable, Hashable {
    /// The number of the shard, starting at 1.
    package var index: Int
    package var started: Instant
    package var duration: Duration
    /// The number of scenarios that ran at the same time in the shard.
    package var jobs: Int
    /// The number of scenarios in the shard.
    package var scenarios: Int
  }

  /// The name and version of the program.
  package var tool: String
  package var started: Instant
  package var duration: Duration = .zero
  /// The number of scenarios that run at the same time on one machine. For a merged result, this is the largest number
  /// for any shard.
  package var jobs = 1
  /// The shards of a merged result.
  package var shards: [ShardSummary] = []
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

  /// The scenarios whose repetitions have different traces.
  package var flaky: [TestResult] {
    tests.filter { $0.failure?.problems.contains { $0.rule == TestProblem.flakyRule } ?? false }
  }

  /// The median duration of the scenarios that ran, or nil if none ran.
  private var medianDuration: Duration? {
    let durations = tests.filter { $0.verdict != .skipped }.map(\.duration).sorted()
    return durations.isEmpty ? nil : durations[durations.count / 2]
  }

  /// Returns the duration of a scenario as a multiple of the median duration, rounded down, or nil if there is no
  /// median.
  package func ratio(of test: TestResult) -> Int? {
    guard let median = medianDuration, median > .zero else { return nil }
    return Int(min(test.duration / median, 1_000_000))
  }

  /// Whether a scenario takes much longer than the others, and long enough for a user to notice.
  package func isSlow(_ test: TestResult) -> Bool {
    test.duration >= .milliseconds(100) && ratio(of: test) ?? 0 >= 5
  }

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
