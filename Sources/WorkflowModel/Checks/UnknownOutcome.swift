import Diagnostics
import Documents

extension WorkflowCheck {
  /// An outcome in `on`, `retry`, or `expect` that the step type does not have.
  static let unknownOutcome = WorkflowCheck("unknown-outcome", .error, "outcome that the step cannot have") {
    checked in
    checked.everyStep.flatMap { step in
      let known = step.outcomes.map(\.name)
      let classes = ["internal", "error"]
      var found: [Diagnostic] = []
      for handler in step.on where !known.contains(handler.outcome) && !classes.contains(handler.outcome) {
        found.append(.unknownOutcome(handler.outcome, of: step, among: known + classes, at: handler.place))
      }
      for outcome in step.retry?.on ?? [] where !known.contains(outcome.value) && !classes.contains(outcome.value) {
        found.append(.unknownOutcome(outcome.value, of: step, among: known + classes, at: outcome.place))
      }
      for expectation in step.expect {
        guard case .own = expectation.address.subject, expectation.address.field == ResultField.outcome.rawValue else {
          continue
        }
        for value in expectation.matcher.constants ?? [] {
          guard let name = value.string, !known.contains(name) else { continue }
          found.append(.unknownOutcome(name, of: step, among: known, at: expectation.matcher.place))
        }
      }
      return found
    }
  }
}

extension Diagnostic {
  static func unknownOutcome(_ name: String, of step: Step, among known: [String], at place: FileSpan) -> Diagnostic {
    if let current = RenamedKeyword.current(for: name, among: known) {
      return RenamedKeyword.diagnostic(name, current, at: place)
    }
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownOutcome.id, "`\(step.spelling)` cannot have outcome `\(name)`",
      help: Suggestion.nearest(to: name, among: known).map { "did you mean `\($0)`?" }
        ?? "use one of \(known.map { "`\($0)`" }.joined(separator: ", "))", at: place)
  }
}
