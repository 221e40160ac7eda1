import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// Events are played on the emulated platform only. In a recording the clock runs, and the app does what it does.
  static let happensOnLive = WorkflowCheck(
    "simulate-on-live", .error, "nothing is made to happen on the live platform, nor in a recording"
  ) { checked in
    switch checked.platform {
    case .emulated: return []
    case .live:
      let steps = checked.everyStep.compactMap { step -> Diagnostic? in
        guard case .simulate = step.action else { return nil }
        return .happensOnLive(step)
      }
      // Scenarios are played by `test`, which knows no other platform than the workflow's own.
      guard case .live? = checked.workflow.platform else { return steps }
      return steps + checked.cases.flatMap { $0.body.events.map(Diagnostic.givenOnLive) }.withoutRepetitions
    case .replay:
      var found: [Diagnostic] = []
      for step in checked.everyStep {
        guard case .simulate(let events) = step.action else { continue }
        found += events.compactMap(Diagnostic.simulatedInReplay)
      }
      // What is given is brought about by `test` alone, which plays the workflow's own recording.
      guard case .replay? = checked.workflow.platform else { return found }
      return found
        + checked.cases.flatMap { $0.body.events.compactMap(Diagnostic.simulatedInReplay) }.withoutRepetitions
    }
  }
}

extension EventKind {
  /// Whether it is the clock's or the app's own doing: then it can happen while a recording is played.
  fileprivate var needsNoPlatform: Bool {
    switch self {
    case .wait, .clock, .accessTokenExpired, .signedIn, .signedOut, .cacheCorrupted, .cacheLoaded, .deviceShared: true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func happensOnLive(_ step: Step) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.happensOnLive.id, "nothing can be made to happen on the live platform",
      help: "run it emulated, or take the step away", at: step.place)
  }

  fileprivate static func givenOnLive(_ event: ScriptedEvent) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.happensOnLive.id,
      "\(event.kind.rawValue) cannot be made to happen on the live platform, and the workflow says platform: live",
      help: "leave the platform away, so that scenarios are emulated, and run it with --platform live",
      at: event.place)
  }

  fileprivate static func simulatedInReplay(_ event: ScriptedEvent) -> Diagnostic? {
    guard !event.kind.needsNoPlatform else { return nil }
    return Diagnostic(
      .error, rule: WorkflowCheck.happensOnLive.id, "\(event.kind.rawValue) cannot happen while a recording is played",
      help: "a recording answers as it did when it was recorded; run it emulated, or take this away", at: event.place)
  }
}
