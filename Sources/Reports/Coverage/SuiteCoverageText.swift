import Diagnostics
import WorkflowModel

/// The coverage of all workflows in a suite, which is printed after the suite's result.
package enum SuiteCoverageText {
  /// Returns one line for each completely covered workflow, a table for each other workflow, and the total.
  package static func render(_ records: [CoverageRecord]) -> String {
    var text = ""
    for record in records {
      text += record.all.isComplete ? "\(record.file): \(CoverageText.summary(record))\n" : CoverageText.render(record)
    }
    return text + (records.count > 1 ? "\(headline(records))\n" : "")
  }

  /// Returns the coverage of all workflows in one line.
  package static func headline(_ records: [CoverageRecord]) -> String {
    func sum(_ share: (CoverageRecord) -> CoverageRecord.Share) -> CoverageRecord.Share {
      records.reduce(.init(0, of: 0)) { $0 + share($1) }
    }
    let all = sum(\.all)
    let parts = [(sum(\.steps), "steps"), (sum(\.outcomes), "named outcomes"), (sum(\.transitions), "transitions")]
    let words = parts.map { "\($0.covered) of \($0.total) \($1)" }.joined(separator: ", ")
    return "coverage: \(all.percent)% (\(words)) in \(records.count.counting("workflow"))"
  }
}
