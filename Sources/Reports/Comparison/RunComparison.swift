import Diagnostics
import Documents

/// Two runs of a workflow, compared step by step. Times and random values do not count as differences.
package struct RunComparison: Sendable {
  /// A decision, a request with its response, or the result of a step.
  package struct Detail: Sendable, Hashable {
    package var text: String
    /// Whether only one of the runs has the detail.
    package var differs: Bool

    package init(text: String, differs: Bool) {
      self.text = text
      self.differs = differs
    }
  }

  package let left: TracedRun
  package let right: TracedRun
  /// The steps with their outcomes. The comparison treats the steps of the left run as expected.
  package let path: PathComparison
  /// The position in `path` of the first step that differs, or nil if the runs are equal. A step with the same outcome
  /// differs if its decisions, requests, or responses differ.
  package let parting: Int?

  package init(_ left: TracedRun, _ right: TracedRun) {
    self.left = left
    self.right = right
    let path = PathComparison(expected: left.steps.map(Self.entry), actual: right.steps.map(Self.entry))
    self.path = path
    parting = path.rows.firstIndex { row in
      guard row.kind == .same, let index = row.expectedIndex, let other = row.index else { return true }
      return Self.details(index, of: left) != Self.details(other, of: right)
    }
  }

  /// A description of the first difference, or the number of steps if the runs are equal.
  package var headline: String {
    guard let parting else { return "equal: \(left.steps.count.counting("step"))" }
    let row = path.rows[parting]
    switch (row.expected, row.actual) {
    case (let left?, let right?) where left == right: return "differ in step \(parting + 1), \(left)"
    case (let left, let right):
      return "diverge at step \(parting + 1): \(left ?? "no step") and \(right ?? "no step")"
    }
  }

  /// Returns the details of a row's steps. Details that appear in only one run are marked.
  package func details(ofRow position: Int) -> (left: [Detail], right: [Detail]) {
    let row = path.rows[position]
    let first = row.expectedIndex.map { Self.details($0, of: left) } ?? []
    let second = row.index.map { Self.details($0, of: right) } ?? []
    let difference = second.difference(from: first)
    func marked(_ details: [String], _ changes: [CollectionDifference<String>.Change]) -> [Detail] {
      let offsets = Set(
        changes.map { change in
          switch change {
          case .insert(let offset, _, _), .remove(let offset, _, _): offset
          }
        })
      return details.enumerated().map { Detail(text: $1, differs: offsets.contains($0)) }
    }
    return (marked(first, difference.removals), marked(second, difference.insertions))
  }

  private static func entry(_ step: TracedStep) -> String { "\(step.id).\(step.outcome ?? "unfinished")" }

  private static func details(_ index: Int, of run: TracedRun) -> [String] {
    let step = run.steps[index]
    var details: [(seq: Int, text: String)] = run.reasons(ofStep: index).map { decision in
      let words = [decision.subject, decision.verdict].map(TerminalRunReport.words).joined(separator: " ")
      return (decision.seq, "\(words): \(decision.reason)")
    }
    for exchange in step.exchanges.map({ run.exchanges[$0] }) {
      let url = exchange.request.url.prefix { $0 != "?" && $0 != "#" }
      let result = exchange.answer.map { answer in answer.status.map(String.init) ?? answer.failure ?? "failed" }
      details.append((exchange.request.seq, "\(exchange.request.method) \(url): \(result ?? "no response")"))
    }
    var texts = details.sorted { $0.seq < $1.seq }.map(\.text)
    if let source = step.tokenSource { texts.append("token source: \(source)") }
    if let failure = step.failure {
      let codes = [failure.msal, failure.oauth, failure.suberror, failure.code].compactMap { $0 }
      texts.append("error: \(codes.joined(separator: ", "))")
    }
    return texts
  }
}
