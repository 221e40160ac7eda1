import Diagnostics

extension WorkflowCheck {
  /// A step that falls back where nothing is there to fall back on.
  static let missingFallback = WorkflowCheck(
    "missing-fallback", .warning, speaksOfUsed: false, needsEveryStep: true,
    "where a token can fail to come silently, something is there to fall back on"
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
      // Where a user signs in before, the step is there to show what the cache holds.
      guard firstPage.map({ $0 >= position }) ?? true else { return nil }
      return .missingFallback(step, outcome)
    }
  }
}

extension Diagnostic {
  fileprivate static func missingFallback(_ step: Step, _ outcome: Outcome) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.missingFallback.id,
      "when \(step.id) ends in \(outcome.name), the workflow fails: no later step is there as a fallback",
      help: "add interactive-fallback after it, or say where to go: on: {\(outcome.name): …}", at: step.place)
  }
}
