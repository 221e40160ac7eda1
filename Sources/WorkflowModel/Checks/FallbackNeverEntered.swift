import Diagnostics

extension WorkflowCheck {
  /// A fallback that never runs because no step can fall back to it.
  static let fallbackNeverEntered = WorkflowCheck(
    "fallback-never-entered", .warning, needsEveryStep: true, "fallback that never runs"
  ) { checked in
    checked.graphs.flatMap { graph in
      graph.steps.indices.compactMap { position in
        let step = graph.steps[position]
        guard step.isFallback, step.kind.canBeFallback, !graph.isPerformed(position) else { return nil }
        return .neverEntered(step)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func neverEntered(_ step: Step) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.fallbackNeverEntered.id,
      "no step can fall back to `\(step.id)`, so it is always skipped",
      help: "add `loadAccount` or `silent` before this step, or use `\(step.kind.key)` without `when: fallback`",
      at: step.place)
  }
}
