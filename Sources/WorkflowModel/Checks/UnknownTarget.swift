import Diagnostics
import Documents

extension WorkflowCheck {
  /// An `on` whose target does not exist.
  static let unknownTarget = WorkflowCheck(
    "unknown-target", .error, "unknown target in `on`"
  ) { checked in
    let unreadable = checked.workflow.unreadableSteps
    return [checked.main.transitions, checked.last.transitions].flatMap { transitions -> [Diagnostic] in
      let guess = NameGuess(transitions.steps.map(\.id) + ["next", "end", "fail"])
      return transitions.steps.flatMap(\.on).compactMap { handler -> Diagnostic? in
        guard case .step(let id) = handler.target, transitions.position(of: id) == nil, !unreadable.contains(id) else {
          return nil
        }
        return .unknownTarget(id, guess, at: handler.targetPlace)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func unknownTarget(_ id: String, _ guess: NameGuess, at place: FileSpan) -> Diagnostic {
    if let renamed = guess.renamed(id, at: place) { return renamed }
    return Diagnostic(
      .error, rule: WorkflowCheck.unknownTarget.id, "unknown step `\(id)`",
      help: guess.nearest(to: id).map { "did you mean `\($0)`?" } ?? "use one of \(guess.list)", at: place)
  }
}
