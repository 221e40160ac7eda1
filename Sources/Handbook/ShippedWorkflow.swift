import IdentityPlatform
import OrderedCollections
import WorkflowModel

/// A shipped workflow, with the terms that each scenario demonstrates.
package struct ShippedWorkflow: Hashable, Sendable {
  /// The path relative to the project, such as `Workflows/me.yaml`.
  package var file: String
  package var title: String
  package var scenarios: OrderedDictionary<String, ScenarioSummary>

  /// A scenario and the terms that it demonstrates.
  package struct ScenarioSummary: Hashable, Sendable {
    /// The total number of terms in the scenario. The scenario with the fewest terms is the simplest example.
    package var size: Int
    /// The outcomes in the scenario's path, such as `silent.interactionRequired`, and the expected error codes, events,
    /// and step types. Only terms that users can look up are included.
    package var shows: [String]
  }

  /// A scenario that demonstrates an entry.
  package struct CodeOccurrence: Hashable, Sendable {
    package var file: String
    package var title: String
    package var scenario: String
  }

  /// The embedded data from all files in `Workflows/`, so that the program does not need the files at run time. A test
  /// compares the data with the files. If `UPDATE_GOLDEN=1` is set, the test updates the data.
  package static let all: [ShippedWorkflow] = read(EmbeddedData.text("shipped-workflows.txt") ?? "")

  /// Returns up to three scenarios that demonstrate an entry, simplest first. Each scenario is from a different file.
  package static func showing(_ entry: GlossaryEntry, among workflows: [ShippedWorkflow] = all) -> [CodeOccurrence] {
    guard !entry.shownAs.isEmpty else { return [] }
    let wanted = Set(entry.shownAs + [entry.name])
    let isKind = entry.topic == .stepKind
    var found: [(size: Int, showing: CodeOccurrence)] = []
    for workflow in workflows {
      let showings = workflow.scenarios.compactMap { name, shows -> (Int, CodeOccurrence)? in
        guard shows.shows.contains(where: { Self.shows($0, wanted, isKind: isKind) }) else { return nil }
        return (shows.size, CodeOccurrence(file: workflow.file, title: workflow.title, scenario: name))
      }
      if let least = showings.min(by: { $0.0 < $1.0 }) { found.append(least) }
    }
    let names = Set(wanted.map(Self.letters))
    return found.sorted { Self.rank($0, names) < Self.rank($1, names) }.prefix(3).map(\.showing)
  }

  /// Returns a workflow's rank. The workflow with the same name as the entry comes first, and tutorials come before
  /// tests.
  private static func rank(
    _ found: (size: Int, showing: CodeOccurrence), _ names: Set<String>
  ) -> (Int, Int, Int, String) {
    let file = found.showing.file
    let stem = file.split(separator: "/").last?.prefix { $0 != "." } ?? ""
    return (names.contains(letters(stem)) ? 0 : 1, file.count { $0 == "/" }, found.size, file)
  }

  /// Returns only the letters in a name, so that `interaction-required.yaml` matches `interaction_required` and
  /// `interactionRequired`.
  private static func letters(_ text: some StringProtocol) -> String { text.lowercased().filter(\.isLetter) }

  /// Whether a term matches a requested term. A step type matches all of its outcomes except `skipped`.
  private static func shows(_ shown: String, _ wanted: Set<String>, isKind: Bool) -> Bool {
    guard let dot = shown.firstIndex(of: ".") else { return !isKind && wanted.contains(shown) }
    let outcome = String(shown[shown.index(after: dot)...])
    if isKind { return outcome != OutcomeName.skipped.rawValue && wanted.contains(String(shown[..<dot])) }
    return wanted.contains(outcome)
  }

  /// Returns the workflows with only the scenarios and terms that these entries need.
  package static func needed(_ workflows: [ShippedWorkflow], by entries: [GlossaryEntry]) -> [ShippedWorkflow] {
    var words: [CodeOccurrence: Set<String>] = [:]
    let places = Dictionary(workflows.enumerated().map { ($1.file, $0) }) { first, _ in first }
    for entry in entries {
      let wanted = Set(entry.shownAs + [entry.name])
      for showing in showing(entry, among: workflows) {
        guard let place = places[showing.file], let scene = workflows[place].scenarios[showing.scenario] else {
          continue
        }
        // One matching term is sufficient.
        let word = scene.shows.first { shows($0, wanted, isKind: entry.topic == .stepKind) }
        words[showing, default: []].formUnion([word].compactMap { $0 })
      }
    }
    return workflows.compactMap { workflow in
      var needed = workflow
      needed.scenarios = [:]
      for (name, scene) in workflow.scenarios {
        let showing = CodeOccurrence(file: workflow.file, title: workflow.title, scenario: name)
        guard let words = words[showing] else { continue }
        needed.scenarios[name] = ScenarioSummary(size: scene.size, shows: scene.shows.filter(words.contains))
      }
      return needed.scenarios.isEmpty ? nil : needed
    }
  }

  // In the data format, each workflow has a line `file | title`, followed by lines in the format
  // `  size scenario | terms`. Lines with more indentation continue the terms.

  static func read(_ table: String) -> [ShippedWorkflow] {
    var workflows: [ShippedWorkflow] = []
    var scenario = ""
    // Splitting UTF-8 bytes is several times faster than splitting characters.
    for line in table.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if line.hasPrefix("    ") {
        workflows[workflows.count - 1].scenarios[scenario]?.shows += words(line)
      } else if line.hasPrefix("  "), let bar = line.ranges(of: " | ").last, !workflows.isEmpty {
        let head = line[..<bar.lowerBound].dropFirst(2)
        let number = head.prefix { $0 != " " }
        scenario = String(head.dropFirst(number.count + 1))
        workflows[workflows.count - 1].scenarios[scenario] = ScenarioSummary(
          size: Int(number) ?? 0, shows: words(line[bar.upperBound...]))
      } else if let bar = line.firstRange(of: " | ") {
        workflows.append(
          ShippedWorkflow(
            file: String(line[..<bar.lowerBound]), title: String(line[bar.upperBound...]), scenarios: [:]))
      }
    }
    return workflows
  }

  private static func words(_ line: Substring) -> [String] {
    line.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
  }

  /// Encodes the workflows in the data format.
  package static func table(of workflows: [ShippedWorkflow]) -> String {
    var lines: [String] = []
    for workflow in workflows {
      lines.append("\(workflow.file) | \(workflow.title)")
      for (name, scene) in workflow.scenarios where !scene.shows.isEmpty {
        var line = "  \(scene.size) \(name.replacing("\n", with: " ")) |"
        for word in scene.shows {
          if line.count + word.count >= 105 {
            lines.append(line)
            line = "   "
          }
          line += " \(word)"
        }
        lines.append(line)
      }
    }
    return lines.joined(separator: "\n")
  }
}
