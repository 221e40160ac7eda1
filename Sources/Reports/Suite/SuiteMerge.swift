import WorkflowModel

/// The merge of all shard results into one result for the entire suite.
package enum SuiteMerge {
  package enum MergeError: Error, Hashable, Sendable {
    case nothing
    /// Two files contain the same shard.
    case twice(shard: String, first: String, second: String)
    /// A file has a different total number of shards.
    case divided(file: String, into: String, others: String)
    /// A file has a different selection of scenarios.
    case foreign(file: String, first: String)
    /// A file was written by a different authflow version.
    case tool(file: String, tool: String, others: String)
    case missing([Int], of: Int)
    /// A file contains no coverage, but other files do.
    case uncovered(file: String)
    /// A file contains results for a different version of a workflow.
    case changed(workflow: String, file: String)
    /// Two files contain the same scenario.
    case overlap(test: String)

    package var message: String {
      switch self {
      case .nothing: "no results to merge"
      case .twice(let shard, let first, let second): "\(first) and \(second) are both shard \(shard)"
      case .divided(let file, let into, let others):
        "\(file) is from a test run \(into), but the other results are from a test run \(others)"
      case .foreign(let file, let first): "\(file) has a different selection of scenarios than \(first)"
      case .tool(let file, let tool, let others): "\(file) was written by \(tool), but the other results by \(others)"
      case .missing(let shards, let total):
        "shard\(shards.count == 1 ? "" : "s") \(shards.map(String.init).joined(separator: ", ")) of \(total) \(shards.count == 1 ? "is" : "are") missing"
      case .uncovered(let file): "\(file) contains no coverage, but other results do"
      case .changed(let workflow, let file): "\(file) contains results for a different version of \(workflow)"
      case .overlap(let test): "scenario \(test) is in two files"
      }
    }
  }

  /// - Parameter parts: The results and the files that contain them.
  package static func joined(_ parts: [(file: String, suite: SuiteResult)]) throws(MergeError) -> SuiteResult {
    guard let (firstFile, first) = parts.first else { throw .nothing }
    let total = first.shard?.total ?? 1
    var files: [Int: String] = [:]
    for (file, suite) in parts {
      guard suite.tool == first.tool else { throw .tool(file: file, tool: suite.tool, others: first.tool) }
      let own = suite.shard?.total ?? 1
      guard own == total else {
        throw .divided(
          file: file, into: own == 1 ? "without shards" : "with \(own) shards",
          others: total == 1 ? "without shards" : "with \(total) shards")
      }
      guard suite.fingerprint == first.fingerprint, suite.chosen == first.chosen else {
        throw .foreign(file: file, first: firstFile)
      }
      let index = suite.shard?.index ?? 1
      if let other = files[index] { throw .twice(shard: "\(index)/\(total)", first: other, second: file) }
      files[index] = file
    }
    let missing = (1...total).filter { files[$0] == nil }
    guard missing.isEmpty else { throw .missing(missing, of: total) }

    var whole = SuiteResult(tool: first.tool, started: parts.map(\.suite.started).min() ?? first.started)
    // Shards run in parallel on separate machines, so the suite takes as long as its slowest shard.
    whole.duration = parts.map(\.suite.duration).max() ?? .zero
    whole.jobs = parts.map(\.suite.jobs).max() ?? 1
    if total > 1 {
      whole.shards = parts.map { part in
        SuiteResult.ShardSummary(
          index: part.suite.shard?.index ?? 1, started: part.suite.started, duration: part.suite.duration,
          jobs: part.suite.jobs, scenarios: part.suite.tests.count)
      }.sorted { $0.index < $1.index }
    }
    whole.repeats = first.repeats
    whole.fingerprint = first.fingerprint
    whole.chosen = first.chosen
    let endings = parts.map(\.suite.ending)
    whole.ending =
      endings.contains(.interrupted) ? .interrupted : endings.contains(.stopped) ? .stopped : .complete
    whole.tests = parts.flatMap(\.suite.tests).sorted { $0.number < $1.number }
    for (left, right) in zip(whole.tests, whole.tests.dropFirst()) where left.number == right.number {
      throw .overlap(test: right.title)
    }
    whole.coverage = try coverage(parts)
    return whole
  }

  /// Returns the combined coverage, or nil if the results do not contain coverage.
  private static func coverage(
    _ parts: [(file: String, suite: SuiteResult)]
  ) throws(MergeError) -> [CoverageRecord]? {
    guard parts.contains(where: { $0.suite.coverage != nil }) else { return nil }
    var whole: [CoverageRecord] = []
    for (file, suite) in parts {
      guard let records = suite.coverage else { throw .uncovered(file: file) }
      for record in records {
        guard let index = whole.firstIndex(where: { $0.file == record.file }) else {
          whole.append(record)
          continue
        }
        guard let sum = whole[index].merged(with: record) else { throw .changed(workflow: record.file, file: file) }
        whole[index] = sum
      }
    }
    return whole
  }
}
