import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// Which of the proven ways are worth a scenario: those that cover what the existing scenarios do not.
package enum MissingScenarios {
  /// The ways that add to what is covered, each once, what succeeds first.
  /// - Parameter covered: what the existing scenarios took, a list for each.
  package static func choose(
    from paths: [ExplorationResult.Path], of workflow: Workflow, covered: [[TakenTransition]]
  ) -> [ExplorationResult.Path] {
    var tally = CoverageTally(workflow)
    for transitions in covered { tally.take(transitions) }
    var chosen: [ExplorationResult.Path] = []
    let proven = paths.filter { $0.proof == .proven && $0.scenario != nil }
    for path in proven.filter({ $0.way.to != "failure" }) + proven.filter({ $0.way.to == "failure" }) {
      if tally.take(path.transitions) { chosen.append(path) }
    }
    return chosen
  }

  /// The ways whose scenarios the document does not hold yet: what an earlier exploration wrote is not written again under
  /// another name.
  package static func unwritten(
    _ paths: [ExplorationResult.Path], in document: Document
  ) -> [ExplorationResult.Path] {
    let written = Set((document.root["scenarios"]?.entries).map { $0.map { $0.value.json.text() } } ?? [])
    return paths.filter { path in path.scenario.map { !written.contains($0.text()) } ?? false }
  }

  /// The document, a workflow or a scenarios file, with these scenarios behind its own, every byte that it has kept: order, layout and comments. Only a
  /// binary property list is written anew, in its own order.
  /// - Throws: where the syntax cannot hold it, or is not written at all.
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
    guard !scenarios.isEmpty else { return document.source.bytes }
    return try ScenarioInsertion(document: document, scenarios: scenarios).bytes()
  }
}
