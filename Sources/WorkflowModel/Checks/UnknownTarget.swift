import Diagnostics
import Documents

extension WorkflowCheck {
  /// An `on` that leads to a step that is not there.
  static let unknownTarget = WorkflowCheck(
    "unknown-target", .error, "every target of `on` is a step, next, end or fail"
  ) { checked in
    let lost = checked.workflow.lostSteps
    return checked.workflow.steps.flatMap { Self.targets($0, in: checked.main.transitions, lost) }
      + checked.workflow.finally.flatMap { Self.targets($0, in: checked.last.transitions, lost) }
  }

  private static func targets(_ step: Step, in transitions: Transitions, _ lost: Set<String>) -> [Diagnostic] {
    step.on.compactMap { handler in
      guard case .step(let id) = handler.target, transitions.position(of: id) == nil, !lost.contains(id) else {
        return nil
      }
      let known = transitions.steps.map(\.id) + ["next", "end", "fail"]
      return .unknownTarget(id, meant: Suggestion.nearest(to: id, among: known), known, at: handler.targetPlace)
    }
  }
}

extension Diagnostic {
  fileprivate static func unknownTarget(_ id: String, meant: String?, _ known: [String], at place: Place) -> Diagnostic
  {
    Diagnostic(
      .error, rule: WorkflowCheck.unknownTarget.id, "there is no step called \"\(id)\"",
      help: meant.map { "did you mean \"\($0)\"?" } ?? "it is one of \(known.joined(separator: ", "))", at: place)
  }
}
