import Diagnostics
import Documents

extension WorkflowCheck {
  /// A `timeout` on a step that cannot time out.
  static let timeoutWithoutEffect = WorkflowCheck(
    "timeout-without-effect", .warning, "timeouts stand on steps that use the network"
  ) { checked in
    checked.everyStep.compactMap { step in
      guard step.timeout != nil, !step.kind.usesNetwork, !step.kind.passesOutcomesOn else { return nil }
      return .withoutEffect(step)
    }
  }
}

extension Diagnostic {
  fileprivate static func withoutEffect(_ step: Step) -> Diagnostic {
    Diagnostic(
      .warning, rule: WorkflowCheck.timeoutWithoutEffect.id,
      "\(step.spelling) does not use the network: its timeout has no effect",
      help: "take the timeout away", at: step.node.entry("timeout")?.key.place ?? step.place)
  }
}
