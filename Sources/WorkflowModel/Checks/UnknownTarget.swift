import Diagnostics
import Documents

extension WorkflowCheck {
  /// An `on` that leads to a step that is not there.
  static let unknownTarget = WorkflowCheck(
    "unknown-target", .error, "every target of `on` is a step, next, end or fail"
  ) { checked in
    let lost = checked.workflow.lostSteps
    return [checked.main.transitions, checked.last.transitions].flatMap { transitions -> [Diagnostic] in
      let guess = NameGuess(transitions.steps.map(\.id) + ["next", "end", "fail"])
      return transitions.steps.flatMap(\.on).compactMap { handler -> Diagnostic? in
        guard case .step(let id) = handler.target, transitions.position(of: id) == nil, !lost.contains(id) else {
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
      .error, rule: WorkflowCheck.unknownTarget.id, "there is no step called \"\(id)\"",
      help: guess.nearest(to: id).map { "did you mean \"\($0)\"?" } ?? "it is one of \(guess.list)", at: place)
  }
}
