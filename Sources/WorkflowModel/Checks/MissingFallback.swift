import Diagnostics

extension WorkflowCheck {
  /// A step that falls back by default, without a fallback after it.
  static let missingFallback = WorkflowCheck(
    "missing-fallback", .warning, appliesToUsedWorkflows: false, needsEveryStep: true,
    "silent step without a fallback"
  ) { checked in
    let steps = checked.workflow.steps
    let firstPage = steps.firstIndex { $0.kind.canBeFallback }
    return steps.indices.compactMap { position in
      let step = steps[position]
      guard checked.main.isPerformed(position), checked.main.transitions.fallback(after: position) == nil,
        let outcome = step.outcomes.first(where: { $0.standard == .fallback }),
        checked.main.transitions.leave(position, outcome: outcome.name).to == .failure,
        !step.on.contains(where: { $0.outcome == outcome.name || $0.outcome == "error" })
      else { return nil }
      // After a sign-in page, the step is there to show the contents of the cache.
      guard firstPage.map({ $0 >= position }) ?? true else { return nil }
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
