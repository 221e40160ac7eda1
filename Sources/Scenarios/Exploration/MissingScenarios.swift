import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// Selects the proven paths that add coverage.
package enum MissingScenarios {
  /// Returns the paths with transitions that are not covered yet. Successful paths come first.
  /// - Parameter covered: The transitions of each existing scenario.
  package static func choose(
    from paths: [ExplorationResult.Path], of workflow: Workflow, covered: [[TakenTransition]]
  ) -> [ExplorationResult.Path] {
    var tally = CoverageTally(workflow)
    for transitions in covered { tally.record(transitions) }
    var chosen: [ExplorationResult.Path] = []
    let proven = paths.filter { $0.proof == .proven && $0.scenario != nil }
    for path in proven.filter({ $0.explored.to != "failure" }) + proven.filter({ $0.explored.to == "failure" }) {
      if tally.record(path.transitions) { chosen.append(path) }
    }
    return chosen
  }

  /// Returns the paths whose scenarios are not in the document yet. This prevents a second exploration from adding the
  /// same scenarios under other names.
  package static func unwritten(
    _ paths: [ExplorationResult.Path], in document: Document
  ) -> [ExplorationResult.Path] {
    let written = Set((document.root["scenarios"]?.entries).map { $0.map { $0.value.json.text() } } ?? [])
    return paths.filter { path in path.scenario.map { !written.contains($0.text()) } ?? false }
  }

  /// Appends scenarios to a workflow or scenarios file. All other content, including comments and layout, is unchanged,
  /// except that a binary property list is rewritten completely.
  /// - Throws: An error if the format cannot contain the scenarios, or if authflow cannot write it.
  package static func append(
    _ paths: [ExplorationResult.Path], to document: Document
  ) throws(DocumentWriteError) -> [UInt8] {
    var taken = ScenarioInsertion.names(in: document)
    var scenarios: [(name: String, scenario: JSON)] = []
    for path in paths {
      guard let scenario = path.scenario else { continue }
      var name = path.name
      var number = 2
      while !taken.insert(name).inserted {
        name = "\(path.name) (\(number))"
        number += 1
      }
      scenarios.append((name, scenario))
    }
    return try append(scenarios, to: document)
  }

  /// Appends scenarios whose names are not used in the document yet.
  package static func append(
    _ scenarios: [(name: String, scenario: JSON)], to document: Document
  ) throws(DocumentWriteError) -> [UInt8] {
    guard !scenarios.isEmpty else { return document.source.bytes }
    return try ScenarioInsertion(document: document, scenarios: scenarios).bytes()
  }
}
