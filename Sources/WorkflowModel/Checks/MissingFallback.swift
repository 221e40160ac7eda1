import Diagnostics

extension WorkflowCheck {
  /// A step that can fall back by default but has no fallback after it.
  static let missingFallback = WorkflowCheck(
    "missing-fallback", .warning, appliesToUsedWorkflows: false, needsEveryStep: true,
    "silent step without a fallback"
  ) { checked in
    let steps = checked.workflow.steps
    let firstSignIn = steps.firstIndex { $0.kind.canBeFallback }
    return steps.indices.compactMap { position in
      let step = steps[position]
      guard checked.main.isPerformed(position), checked.main.transitions.fallback(after: position) == nil,
        let outcome = step.outcomes.first(where: { $0.standard == .fallback }),
        checked.main.transitions.leave(position, outcome: outcome.name).to == .failure,
        step.handler(of: outcome.name) == nil, step.handler(of: .error) == nil
      else { return nil }
      // A step after an interactive sign-in only inspects the cache, so it does not need a fallback.
      guard firstSignIn.map({ $0 >= position }) ?? true else { return nil }
      return .missingFallback(step, outcome)
    }
  }
}

extension Diagnostic {
  fileprivate static func missingFallback(_ step: Step, _ outcome: Outcome) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.missingFallback.id,
      "no fallback for outcome `\(outcome.name)` of step `\(step.id)`: the workflow fails",
      help: "add `interactive-fallback` after this step, or set a target: `on: {\(outcome.name): …}`", at: step.place)
  }
}
