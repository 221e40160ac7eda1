import Diagnostics
import Directory
import OrderedCollections

extension WorkflowCheck {
  /// Simulated events in a run against the live service, or emulator events in a replay.
  static let simulateOnLive = WorkflowCheck(
    "simulate-on-live", .error, "simulated event with the live service or a recording"
  ) { checked in
    switch checked.platform {
    case .emulated: return []
    case .live:
      let steps = checked.everyStep.compactMap { step -> Diagnostic? in
        guard case .simulate = step.action else { return nil }
        return .stepOnLive(step)
      }
      // `authflow test` always runs scenarios on the workflow's platform.
      guard case .live? = checked.workflow.platform else { return steps }
      return steps + checked.cases.flatMap { $0.body.events.map(Diagnostic.eventOnLive) }.withoutDuplicates
    case .replay:
      let steps = checked.everyStep.flatMap(\.events).compactMap(Diagnostic.eventInReplay)
      // Preconditions occur only in `authflow test`, which replays only the recording that the workflow specifies.
      guard case .replay? = checked.workflow.platform else { return steps }
      return steps
        + checked.cases.flatMap { $0.body.events.compactMap(Diagnostic.eventInReplay) }.withoutDuplicates
    }
  }
}

extension EventKind {
  /// Whether the event affects only the clock or the app, so that it can occur during replay.
  fileprivate var worksInReplay: Bool {
    switch self {
    case .wait, .clock, .accessTokenExpired, .signedIn, .signedOut, .cacheCorrupted, .cacheLoaded, .deviceShared: true
    default: false
    }
  }
}

extension Diagnostic {
  fileprivate static func stepOnLive(_ step: Step) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.simulateOnLive.id, "simulated events are not supported with the live service",
      help: "run the workflow with the emulator, or remove the step", at: step.place)
  }

  fileprivate static func eventOnLive(_ event: ScriptedEvent) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.simulateOnLive.id,
      "event `\(event.kind.rawValue)` is not supported with `platform: live`",
      help: "remove `platform` to run scenarios with the emulator, and use `--platform live` for live runs",
      at: event.place)
  }

  fileprivate static func eventInReplay(_ event: ScriptedEvent) -> Diagnostic? {
    guard !event.kind.worksInReplay else { return nil }
    return Diagnostic(
      .error, rule: WorkflowCheck.simulateOnLive.id, "event `\(event.kind.rawValue)` is not supported during replay",
      help: "run the workflow with the emulator, or remove the event", at: event.place)
  }
}
