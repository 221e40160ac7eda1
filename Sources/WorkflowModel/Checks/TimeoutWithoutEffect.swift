import Diagnostics
import Documents

extension WorkflowCheck {
  /// A `timeout` in a step that cannot time out.
  static let timeoutWithoutEffect = WorkflowCheck(
    "timeout-without-effect", .warning, "`timeout` that has no effect"
  ) { checked in
    checked.everyStep.compactMap { step in
      guard step.timeout != nil, !step.kind.usesNetwork, !step.kind.propagatesOutcomes else { return nil }
      return .withoutEffect(step)
    }
  }
}

extension Diagnostic {
  fileprivate static func withoutEffect(_ step: Step) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.timeoutWithoutEffect.id,
      "`timeout` has no effect: `\(step.spelling)` does not use the network",
      help: "remove `timeout`", at: step.node.entry("timeout")?.key.place ?? step.place)
  }
}
