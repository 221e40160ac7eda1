import Diagnostics
import Documents
import OrderedCollections
import WorkflowModel

/// Which of the proven ways are worth a scenario: those that cover what the existing scenarios do not.
package enum MissingScenarios {
  /// The ways that add to what is covered, each once, what succeeds first.
  /// - Parameter covered: what the existing scenarios took, a list for each.
  package static func choose(
    from paths: [ExplorationRecord.Path], of workflow: Workflow, covered: [[TakenTransition]]
  ) -> [ExplorationRecord.Path] {
    var tally = CoverageTally(workflow)
    for transitions in covered { tally.take(transitions) }
    var share = tally.report.all.covered
    var chosen: [ExplorationRecord.Path] = []
    let proven = paths.filter { $0.proof == .proven && $0.scenario != nil }
    for path in proven.filter({ $0.way.to != "failure" }) + proven.filter({ $0.way.to == "failure" }) {
      var next = tally
      next.take(path.transitions)
      let covered = next.report.all.covered
      guard covered > share else { continue }
      share = covered
      tally = next
      chosen.append(path)
    }
    return chosen
  }

  /// The document with these scenarios behind its own.
  ///
  /// Block-style YAML keeps every byte it has, comments included; any other document is written anew in its own syntax.
  /// - Throws: where the syntax cannot hold it.
  package static func append(
    _ paths: [ExplorationRecord.Path], to document: Document
  ) throws(WritingFailure) -> [UInt8] {
    var taken = names(in: document)
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
    if document.syntax == .yaml, let bytes = try yaml(scenarios, in: document) { return bytes }
    var root = document.root.json
    var all: JSON = root["scenarios"] ?? [:]
    for (name, scenario) in scenarios { all[name] = scenario }
    root["scenarios"] = all
    let reading = DocumentReader.read(Array(root.text(sortedKeys: false).utf8), named: document.source.name)
    guard let whole = reading.document else { return document.source.bytes }
    return try DocumentWriter.write(whole, as: document.syntax)
  }

  /// Appended as text; nil where the scenarios are written in flow style, or stand before other keys.
  private static func yaml(
    _ scenarios: [(name: String, scenario: JSON)], in document: Document
  ) throws(WritingFailure) -> [UInt8]? {
    let root = document.root
    let existing = root["scenarios"]
    var margin = 2
    if let existing {
      // Behind the last key only, and in block style: there the end of the file is the end of the scenarios.
      let keys = Array(root.entries).map(\.key)
      guard keys.last?.string == "scenarios", let first = Array(existing.entries).first?.key,
        first.place.start.column > 1, first.place.start.line > (keys.last?.place.start.line ?? 0)
      else { return nil }
      margin = first.place.start.column - 1
    }
    if let first = Array(root.entries).first?.key, first.place.start.column != 1 { return nil }
    var bytes = document.source.bytes
    if bytes.last != 0x0A { bytes.append(0x0A) }
    if existing == nil { bytes += Array("\nscenarios:\n".utf8) }
    for (name, scenario) in scenarios {
      // In the order in which a scenario is read: what is given, what happens, who sits there, what must come of it.
      let members = ["settings", "directory", "inputs", "given", "before", "user", "expect"].compactMap { key in
        scenario[key].map { "\"\(key)\": \($0.text())" }
      }
      let entry = "{\(JSON.string(name).text()): {\(members.joined(separator: ", "))}}"
      guard let node = DocumentReader.read(Array(entry.utf8), named: "scenario.json").document else { return nil }
      let text = String(decoding: try DocumentWriter.write(node, as: .yaml), as: UTF8.self)
      for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
        bytes += Array((String(repeating: " ", count: margin) + line + "\n").utf8)
      }
    }
    // What was appended must read back.
    let reading = DocumentReader.read(bytes, named: document.source.name)
    guard let written = reading.document, !reading.diagnostics.hasErrors else { return nil }
    let names = names(in: written)
    return scenarios.allSatisfy { names.contains($0.name) } ? bytes : nil
  }

  private static func names(in document: Document) -> Set<String> {
    var names: Set<String> = []
    for (key, _) in document.root["scenarios"]?.entries ?? document.root.entries { names.insert(key.string ?? "") }
    return names
  }
}
