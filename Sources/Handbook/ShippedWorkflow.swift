import Documents
import IdentityPlatform
import OrderedCollections

/// A workflow that comes with authflow, and what each of its scenarios shows.
package struct ShippedWorkflow: Hashable, Sendable {
  /// Relative to the project: `Workflows/me.yaml`.
  package var file: String
  package var title: String
  /// By scenario: the outcomes that its path names (`silent.interactionRequired`), the codes and errors that it expects, what
  /// happens in it, and the kinds of step that it runs.
  package var scenarios: OrderedDictionary<String, [String]>

  /// One scenario in which something can be seen.
  package struct Showing: Hashable, Sendable {
    package var file: String
    package var title: String
    package var scenario: String
  }

  package static let all: [ShippedWorkflow] = read(table)

  /// The scenarios that show the entry, those that show least else first: at most three, from different files.
  package static func showing(_ entry: GlossaryEntry, among workflows: [ShippedWorkflow] = all) -> [Showing] {
    let wanted = Set(entry.shownAs)
    guard !wanted.isEmpty else { return [] }
    let isKind = entry.topic == .stepKind
    var found: [(size: Int, showing: Showing)] = []
    for workflow in workflows {
      let showings = workflow.scenarios.compactMap { name, shows -> (Int, Showing)? in
        guard shows.contains(where: { Self.shows($0, wanted, isKind: isKind) }) else { return nil }
        return (shows.count, Showing(file: workflow.file, title: workflow.title, scenario: name))
      }
      if let least = showings.min(by: { $0.0 < $1.0 }) { found.append(least) }
    }
    return found.sorted { ($0.size, $0.showing.file) < ($1.size, $1.showing.file) }.prefix(3).map(\.showing)
  }

  /// An outcome stands behind its kind; a kind is shown by any of its outcomes but `skipped`.
  private static func shows(_ shown: String, _ wanted: Set<String>, isKind: Bool) -> Bool {
    guard let dot = shown.firstIndex(of: ".") else { return !isKind && wanted.contains(shown) }
    let outcome = String(shown[shown.index(after: dot)...])
    if isKind { return outcome != "skipped" && wanted.contains(String(shown[..<dot])) }
    return wanted.contains(outcome)
  }

  static func read(_ table: String) -> [ShippedWorkflow] {
    guard let json = try? JSON(parsing: Array(table.utf8)) else { return [] }
    return (json.object ?? [:]).map { file, entry in
      var scenarios: OrderedDictionary<String, [String]> = [:]
      for (name, shows) in entry["scenarios"]?.object ?? [:] {
        scenarios[name] = (shows.array ?? []).compactMap(\.string)
      }
      return ShippedWorkflow(file: file, title: entry["title"]?.string ?? file, scenarios: scenarios)
    }
  }

  /// The table's text for these workflows.
  package static func table(of workflows: [ShippedWorkflow]) -> String {
    var json: JSON = [:]
    for workflow in workflows {
      var scenarios: JSON = [:]
      for (name, shows) in workflow.scenarios { scenarios[name] = .array(shows.map { .string($0) }) }
      json[workflow.file] = ["title": .string(workflow.title), "scenarios": scenarios]
    }
    return json.text(pretty: true)
  }
}
