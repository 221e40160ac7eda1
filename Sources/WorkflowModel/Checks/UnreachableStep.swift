import Diagnostics

extension WorkflowCheck {
  /// A step that no way leads to.
  static let unreachableStep = WorkflowCheck(
    "unreachable-step", .warning, needsEveryStep: true, "every step can be reached"
  ) { checked in
    [checked.main, checked.last].flatMap { graph in
      graph.steps.indices.compactMap { position in
        let step = graph.steps[position]
        guard !step.isFallback, !graph.isReached(position) else { return nil }
        return .unreachable(step, after: position > 0 ? graph.steps[position - 1] : nil)
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func unreachable(_ step: Step, after previous: Step?) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.unreachableStep.id, "nothing leads to the step \"\(step.id)\"",
      help: previous.map { "no outcome of \($0.id) goes on to it, and no `on` names it" }, at: step.place)
  }
}
