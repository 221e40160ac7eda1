import Diagnostics

extension WorkflowCheck {
  /// A step that no path reaches.
  static let unreachableStep = WorkflowCheck(
    "unreachable-step", .warning, needsEveryStep: true, "unreachable step"
  ) { checked in
    checked.graphs.flatMap { graph in
      graph.steps.indices.compactMap { position in
        let step = graph.steps[position]
        guard !step.isFallback, !graph.isReached(position) else { return nil }
        return .unreachable(step)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func unreachable(_ step: Step) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.unreachableStep.id, "step `\(step.id)` is unreachable",
      help: "remove the step, or add an `on` with this target to an earlier step", at: step.place)
  }
}
