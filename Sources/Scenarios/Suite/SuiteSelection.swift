import Diagnostics
import Documents
import Effects
import Reports
import SimulatedWorld
import WorkflowModel

/// A scenario in a suite, with its position in the selection.
package struct SuiteEntry: Sendable {
  /// The position, starting at 1.
  package var number: Int
  package var test: ScenarioCase

  package init(number: Int, test: ScenarioCase) {
    self.number = number
    self.test = test
  }
}

/// Selects and orders scenarios.
package struct SuiteSelection: Sendable {
  /// The filters for titles of the form `file: scenario`. A filter is a title, a part of a title, or a pattern with `*`
  /// and `?`. A scenario must match at least one filter.
  package var filters: [String] = []
  /// The tag filters. A scenario must have at least one of these tags, and none of the tags with the `!` prefix.
  package var tags: [String] = []
  package var shard: SuiteResult.Shard?
  /// The seed for a random order, or nil to keep the order in the files.
  package var seed: String?

  package init() {}

  /// Returns the selected scenarios of all shards.
  package func chosen(of cases: [ScenarioCase]) -> [SuiteEntry] {
    var keeps = [Bool](repeating: filters.isEmpty, count: cases.count)
    for filter in filters {
      // An exact name selects only that scenario, even if other names contain it.
      let exact = cases.indices.filter { cases[$0].title == filter || cases[$0].shortTitle == filter }
      if !exact.isEmpty {
        for index in exact { keeps[index] = true }
        continue
      }
      let pattern = NamePattern(filter)
      for index in cases.indices where pattern.matches(cases[index].title) { keeps[index] = true }
    }
    let wanted = Set(tags.filter { !$0.hasPrefix("!") })
    let unwanted = Set(tags.filter { $0.hasPrefix("!") }.map { String($0.dropFirst()) })
    var entries: [SuiteEntry] = []
    for (index, test) in cases.enumerated() where keeps[index] {
      let tags = Set(test.scenario.body.tags)
      guard wanted.isEmpty || !wanted.isDisjoint(with: tags), unwanted.isDisjoint(with: tags) else { continue }
      entries.append(SuiteEntry(number: entries.count + 1, test: test))
    }
    return entries
  }

  /// Returns the scenarios of this shard in execution order.
  ///
  /// Each scenario is in exactly one shard. The sizes of shards differ by at most one.
  package func ordered(_ entries: [SuiteEntry]) -> [SuiteEntry] {
    var part = entries
    if let shard { part = entries.filter { ($0.number - 1) % shard.total == shard.index - 1 } }
    guard let seed else { return part }
    let randomness = SeededRandomness(seed: seed)
    for last in stride(from: part.count - 1, to: 0, by: -1) {
      part.swapAt(last, randomness.number(below: last + 1))
    }
    return part
  }

  /// Returns a fingerprint of the file and scenario names, in order.
  package static func fingerprint(_ entries: [SuiteEntry]) -> String {
    var print = Fingerprint()
    for entry in entries {
      print.add(FilePath.name(of: entry.test.file))
      print.add(entry.test.name)
    }
    return print.text
  }
}

extension ScenarioCase {
  /// The name that lists show and that filters match.
  package var title: String { "\(file): \(name)" }
  /// The same name without the folder of the file.
  package var shortTitle: String { "\(FilePath.name(of: file)): \(name)" }
}

/// A part of a name, or a pattern for the entire name. Matching is case-insensitive.
struct NamePattern: Sendable {
  private let pattern: String
  private let isGlob: Bool

  init(_ text: String) {
    let folded = text.lowercased()
    isGlob = folded.contains("*") || folded.contains("?")
    pattern = folded
  }

  func matches(_ name: String) -> Bool {
    let name = name.lowercased()
    guard isGlob else { return name.contains(pattern) }
    return Wildcards.match(Array(pattern), Array(name), isAny: { $0 == "*" }, matchesOne: { $0 == "?" || $0 == $1 })
  }
}

extension SuiteEntry {
  /// The entry in the JSON output of `--list`.
  package var listed: TestResult { TestResult(self, skippedFor: "only listed") }
}
