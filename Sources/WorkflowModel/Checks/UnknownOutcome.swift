import Diagnostics
import Documents

extension WorkflowCheck {
  /// An outcome in `on`, `retry`, or `expect` that the step type does not have.
  static let unknownOutcome = WorkflowCheck("unknown-outcome", .error, "outcome that the step cannot have") {
    checked in
    checked.everyStep.flatMap { step in
      let known = step.outcomes.map(\.name.rawValue)
      let keys = known + ["internal", "error"]
      var findings: [Diagnostic] = []
      for handler in step.on where !keys.contains(handler.outcome.text) {
        findings.append(.unknownOutcome(handler.outcome.text, of: step, among: keys, at: handler.place))
      }
      for outcome in step.retry?.on ?? [] where !keys.contains(outcome.value.text) {
        findings.append(.unknownOutcome(outcome.value.text, of: step, among: keys, at: outcome.place))
      }
      for matcher in step.outcomeMatchers {
        for case .string(let name) in matcher.constants ?? [] where !known.contains(name) {
          findings.append(.unknownOutcome(name, of: step, among: known, at: matcher.place))
        }
      }
      return findings
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
      help: Suggestion.help(for: name, among: known), at: place)
  }
}
