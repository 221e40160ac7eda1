import Diagnostics
import WorkflowModel

/// Coverage as a table for a terminal: what each step is covered to, and what is missing.
package enum CoverageText {
  /// The column at which a list is broken.
  private static let width = 80

  /// - Parameter hint: whether the command that finds the missing ways is named.
  package static func render(_ record: CoverageRecord, hint: Bool = true) -> String {
    var text = "\(record.title.onOneRow): \(record.all.percent)% covered"
    text += " (\(words(record.steps, "steps")), \(words(record.outcomes, "named outcomes")), "
    text += "\(words(record.transitions, "transitions")); \(record.runs) \(record.runs == 1 ? "run" : "runs"))\n"
    let column = (record.entries.map { $0.id.onOneRow.count }.max() ?? 0) + 2
    for entry in record.entries {
      let id = entry.id.onOneRow
      let missing = self.missing(entry)
      let mark = entry.isCovered ? "●" : entry.times == 0 ? "○" : "◐"
      let head = "  \(mark) \(id)\(String(repeating: " ", count: max(1, column - id.count)))"
      guard !missing.isEmpty else {
        text += "\(head)covered\n"
        continue
      }
      for (index, row) in missing.listed(within: width - column - 4).enumerated() {
        text += index == 0 ? head : String(repeating: " ", count: column + 4)
        text += "\(row)\n"
      }
    }
    if hint, !record.all.isWhole {
      text += "  authflow explore \(record.file.onOneRow) shows a scenario for each that is missing\n"
    }
    return text
  }

  /// One line for a summary.
  package static func summary(_ record: CoverageRecord) -> String {
    "\(record.all.percent)% (\(words(record.steps, "steps")), \(words(record.outcomes, "named outcomes")), "
      + "\(words(record.transitions, "transitions")))"
  }

  private static func words(_ share: CoverageRecord.Share, _ what: String) -> String {
    "\(share.covered) of \(share.total) \(what)"
  }

  /// What of the step nothing covered, in words.
  static func missing(_ entry: CoverageRecord.StepShare) -> [String] {
    guard entry.times > 0 || entry.arrows.contains(where: { $0.times > 0 }) else { return ["never performed"] }
    var missing: [String] = entry.times == 0 ? ["never performed"] : []
    let outcomes = entry.outcomes.filter { $0.times == 0 }.map(\.name)
    missing += outcomes.map { "never \($0)" }
    for arrow in entry.arrows where arrow.times == 0 {
      // Where the only outcome of an arrow is missing already, the arrow says nothing more.
      if arrow.outcomes.allSatisfy({ outcomes.contains($0) }) { continue }
      missing.append(arrow.sort == .failure ? "never failed" : "never to \(arrow.to.onOneRow)")
    }
    return missing
  }
}
