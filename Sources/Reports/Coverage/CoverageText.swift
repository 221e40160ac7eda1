import Diagnostics
import WorkflowModel

/// Coverage as a text table that shows each step's coverage and missing outcomes.
package enum CoverageText {
  /// The column at which lists wrap.
  private static let width = 80

  /// - Parameter hint: Whether to print the command that finds the missing paths.
  package static func render(_ record: CoverageRecord, hint: Bool = true) -> String {
    var text = "\(record.title.singleLine): \(record.all.percent)% covered"
    text += " (\(words(record.steps, "steps")), \(words(record.outcomes, "named outcomes")), "
    text += "\(words(record.transitions, "transitions")); \(record.runs) \(record.runs == 1 ? "run" : "runs"))\n"
    let column = (record.entries.map { $0.id.singleLine.count }.max() ?? 0) + 2
    for entry in record.entries {
      let id = entry.id.singleLine
      let missing = self.missing(entry)
      let mark = entry.isCovered ? "●" : entry.times == 0 ? "○" : "◐"
      let head = "  \(mark) \(id)\(String(repeating: " ", count: max(1, column - id.count)))"
      guard !missing.isEmpty else {
        text += "\(head)covered\n"
        continue
      }
      for (index, row) in missing.wrapped(within: width - column - 4).enumerated() {
        text += index == 0 ? head : String(repeating: " ", count: column + 4)
        text += "\(row)\n"
      }
    }
    if hint, !record.all.isComplete {
      text += "  authflow explore \(record.file.singleLine) shows a scenario for each missing path\n"
    }
    return text
  }

  /// Returns the coverage in one line.
  package static func summary(_ record: CoverageRecord) -> String {
    "\(record.all.percent)% (\(words(record.steps, "steps")), \(words(record.outcomes, "named outcomes")), "
      + "\(words(record.transitions, "transitions")))"
  }

  private static func words(_ share: CoverageRecord.Share, _ what: String) -> String {
    "\(share.covered) of \(share.total) \(what)"
  }

  /// Returns the uncovered outcomes and transitions of a step.
  static func missing(_ entry: CoverageRecord.StepShare) -> [String] {
    guard entry.times > 0 || entry.arrows.contains(where: { $0.times > 0 }) else { return ["never performed"] }
    var missing: [String] = entry.times == 0 ? ["never performed"] : []
    let outcomes = entry.outcomes.filter { $0.times == 0 }.map(\.name)
    missing += outcomes.map { "never \($0)" }
    for arrow in entry.arrows where arrow.times == 0 {
      // If all outcomes of a transition are already listed as missing, do not list the transition itself.
      if arrow.outcomes.allSatisfy({ outcomes.contains($0) }) { continue }
      missing.append(arrow.sort == .failure ? "never failed" : "never continued with \(arrow.to.singleLine)")
    }
    return missing
  }
}
