import Diagnostics

extension WorkflowCheck {
  /// Happenings are played on the emulated platform only.
  static let happensOnLive = WorkflowCheck("happens-on-live", .error, "nothing is made to happen on the live platform")
  { checked in
    guard checked.platform == .live else { return [] }
    return checked.everyStep.compactMap { step in
      guard case .happens = step.action else { return nil }
      return .happensOnLive(step)
    }
  }
}

extension Diagnostic {
  fileprivate static func happensOnLive(_ step: Step) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.happensOnLive.id, "nothing can be made to happen on the live platform",
      help: "run it emulated, or take the step away", at: step.place)
  }
}
