import Diagnostics
import Documents
import Effects
import Reports
import SimulatedWorld
import WorkflowModel

/// One scenario of a suite, with its place in the whole of what was chosen.
package struct SuiteEntry: Sendable {
  /// Counts from 1.
  package var number: Int
  package var test: ScenarioCase

  package init(number: Int, test: ScenarioCase) {
    self.number = number
    self.test = test
  }
}

/// Which scenarios of the workflows at hand are run, and in which order.
package struct SuiteSelection: Sendable {
  /// A name, a part of one, or a pattern with `*` and `?`, for `file: scenario`; of several any may fit.
  package var filters: [String] = []
  /// Any of these, and none of those with `!` before them.
  package var tags: [String] = []
  package var shard: SuiteResult.Shard?
  /// What the order is shuffled by; nil for the written order.
  package var seed: String?

  package init() {}

  /// What is chosen, before it is divided.
  package func chosen(of cases: [ScenarioCase]) -> [SuiteEntry] {
    var keeps = [Bool](repeating: filters.isEmpty, count: cases.count)
    for filter in filters {
      // A whole name means that one, though others may hold it as a part.
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

  /// The part for this machine, in the order in which it is run.
  ///
  /// Parts are dealt out in turn: whatever the machine, each scenario is in exactly one, and their sizes differ by one at
  /// most.
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

  /// Stands for a list of scenarios, wherever it was made: their files' names and their own, in order.
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
  /// What it is called in lists, and what filters look at.
  package var title: String { "\(file): \(name)" }
  /// The same with the bare name of the file.
  package var shortTitle: String { "\(FilePath.name(of: file)): \(name)" }
}

/// A part of a name, or a pattern for the whole of it; case does not matter.
struct NamePattern: Sendable {
  private let pattern: [Character]
  private let isGlob: Bool

  init(_ text: String) {
    let folded = text.lowercased()
    isGlob = folded.contains("*") || folded.contains("?")
    pattern = Array(folded)
  }

  func matches(_ name: String) -> Bool {
    let name = name.lowercased()
    return isGlob ? Self.glob(pattern, Array(name)) : name.contains(String(pattern))
  }

  /// One point to come back to: linear in practice, never exponential.
  private static func glob(_ pattern: [Character], _ name: [Character]) -> Bool {
    var (position, index) = (0, 0)
    var back: (position: Int, index: Int)?
    while index < name.count {
      if position < pattern.count, pattern[position] == "*" {
        back = (position, index)
        position += 1
      } else if position < pattern.count, pattern[position] == "?" || pattern[position] == name[index] {
        position += 1
        index += 1
      } else if let point = back {
        back = (point.position, point.index + 1)
        position = point.position + 1
        index = point.index + 1
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
  }
}

extension SuiteEntry {
  /// As lists name it: a record of what has not been run.
  package var listed: TestResult { TestResult(self, skippedFor: "it was only listed") }
}
