import Diagnostics
import Documents

extension WorkflowCheck {
  /// An `on` entry whose target does not exist.
  static let unknownTarget = WorkflowCheck(
    "unknown-target", .error, "unknown target in `on`"
  ) { checked in
    let unreadable = checked.workflow.unreadableSteps
    return checked.graphs.map(\.transitions).flatMap { transitions -> [Diagnostic] in
      let suggestions = NameGuess(transitions.steps.map(\.id) + ["next", "end", "fail"])
      return transitions.steps.flatMap(\.on).compactMap { handler -> Diagnostic? in
        guard case .step(let id) = handler.target, transitions.position(of: id) == nil, !unreadable.mayContain(id)
        else {
          return nil
        }
        return suggestions.unknownStep(id, rule: "unknown-target", at: handler.targetPlace)
      }
    }
  }
}
