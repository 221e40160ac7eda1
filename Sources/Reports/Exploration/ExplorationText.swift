import Diagnostics
import WorkflowModel

/// The result of an exploration as text in 80 columns.
package enum ExplorationText {
  private static let width = 80

  package static func render(_ record: ExplorationResult) -> String {
    var text = "\(record.title.singleLine)\n"
    text += summary(record)
    if !record.findings.isEmpty {
      text += "\nfindings\n"
      for finding in record.findings {
        text += wrapped("\(place(finding)): \(finding.message) [\(finding.rule)]", indent: 2)
        if let help = finding.help { text += wrapped(help, indent: 4) }
      }
    }
    if !record.unhandled.isEmpty {
      text += "\nunhandled failures\n"
      let column = (record.unhandled.map { $0.step.id.singleLine.count }.max() ?? 0) + 2
      for unhandled in record.unhandled {
        let id = unhandled.step.id.singleLine
        var words = unhandled.common.map(\.rawValue).joined(separator: ", ")
        if !unhandled.rare.isEmpty {
          let rest =
            unhandled.common.isEmpty
            ? unhandled.rare.map(\.rawValue).joined(separator: ", ")
            : "\(unhandled.rare.count) rare \(unhandled.rare.count == 1 ? "one" : "ones")"
          words += words.isEmpty ? rest : ", and \(rest)"
        }
        text += wrapped(
          id + String(repeating: " ", count: max(1, column - id.count)) + words, indent: 2, hanging: column)
      }
    }
    text += "\npaths\n"
    for alike in grouped(record.paths) {
      let path = alike[0]
      let names = ([path.name] + alike.dropFirst().map(\.explored.outcome.name.rawValue)).map(\.singleLine)
      text += wrapped(
        "\(mark(path.proof)) \(names.joined(separator: ", ")) → \(path.explored.to.singleLine)", indent: 2, hanging: 2)
      switch path.proof {
      case .differs(let actual): text += wrapped("the run took \(list(actual))", indent: 6)
      case .unproven(let reason, let actual):
        text += wrapped(reason, indent: 6)
        if !actual.isEmpty { text += wrapped("instead: \(list(actual))", indent: 6) }
      case .notTried: text += wrapped(list(path.explored.entries), indent: 6)
      case .proven: break
      }
    }
    return text
  }

  /// Groups outcomes of the same step that could not be simulated for the same reason and that led to the same actual
  /// outcome. Each group appears at the position of its first outcome.
  private static func grouped(_ paths: [ExplorationResult.Path]) -> [[ExplorationResult.Path]] {
    var groups: [[ExplorationResult.Path]] = []
    var places: [String: Int] = [:]
    for path in paths {
      guard case .unproven(let reason, let actual) = path.proof,
        path.name.hasSuffix(" ends in \(path.explored.outcome.name)")
      else {
        groups.append([path])
        continue
      }
      let key = ([path.explored.step.id, path.explored.to, reason] + actual).joined(separator: "\n")
      if let place = places[key] {
        groups[place].append(path)
      } else {
        places[key] = groups.count
        groups.append([path])
      }
    }
    return groups
  }

  /// Returns the path as text. For a long path, returns only the start and the end.
  private static func list(_ entries: [String]) -> String {
    guard entries.count > 24 else { return entries.joined(separator: ", ") }
    let left = entries.count - 16
    return (entries.prefix(4) + ["… (\(left) more)"] + entries.suffix(12)).joined(separator: ", ")
  }

  private static func summary(_ record: ExplorationResult) -> String {
    let steps = Set(record.paths.map(\.explored.step.id)).count
    var text = "\(steps.counting("step")), \(record.paths.count.counting("path"))"
    let untried = record.paths.count { $0.proof == .notTried }
    if untried == record.paths.count, untried > 0 {
      text += ", none tried"
    } else {
      text +=
        ": \(record.proven) proven, \(record.unproven) not proven on the emulator, \(record.differing) different"
      if untried > 0 { text += ", \(untried) not fully tried" }
    }
    text += "\n"
    if !record.isComplete { text += "only the first \(record.states) states were explored\n" }
    return text
  }

  private static func mark(_ proof: ExplorationResult.ProofStatus) -> String {
    switch proof {
    case .proven: "●"
    case .differs: "✗"
    case .unproven: "○"
    case .notTried: "·"
    }
  }

  private static func place(_ finding: Diagnostic) -> String {
    let start = finding.place.start
    return "\(finding.place.source.name.singleLine):\(start.line):\(start.column): \(finding.severity.rawValue)"
  }

  private static func wrapped(_ text: String, indent: Int, hanging: Int = 0) -> String {
    var rows: [String] = []
    var row = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let room = width - indent - (rows.isEmpty ? 0 : hanging)
      if !row.isEmpty, row.count + 1 + word.count > room {
        rows.append(row)
        row = String(word)
      } else {
        row += row.isEmpty && rows.isEmpty && word.isEmpty ? " " : (row.isEmpty ? "" : " ") + word
      }
    }
    rows.append(row)
    return rows.enumerated().map { index, row in
      String(repeating: " ", count: indent + (index == 0 ? 0 : hanging)) + row + "\n"
    }.joined()
  }
}
