import Diagnostics

extension WorkflowCheck {
  /// A fallback that nothing falls back on.
  static let fallbackNeverEntered = WorkflowCheck(
    "fallback-never-entered", .warning, needsEveryStep: true, "some step can fall back on every fallback"
  ) { checked in
    [checked.main, checked.last].flatMap { graph in
      graph.steps.indices.compactMap { position in
        let step = graph.steps[position]
        guard step.isFallback, step.kind.canBeFallback, !graph.isPerformed(position) else { return nil }
        return .neverEntered(step, isFirst: position == 0)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func neverEntered(_ step: Step, isFirst: Bool) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.fallbackNeverEntered.id,
      "nothing can fall back on \"\(step.id)\", so it is always skipped",
      help: "put a loadAccount or a silent before it, or take the fallback away: \(step.kind.key)", at: step.place)
  }
}
