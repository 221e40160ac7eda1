import Documents
import Effects
import RunTrace
import Reports

/// Trace events as a run records them.
enum TraceFixtures {
  static func event(_ kind: TraceEvent.Kind, _ members: JSON, seq: Int = 1) -> TraceEvent {
    guard let members = members.object else { return event(kind, [:], seq: seq) }
    return TraceEvent(seq: seq, time: Instant(secondsSince1970: 1_735_689_600), kind: kind, members: members)
  }

  static func started(_ name: String = "Read my profile", file: String = "me.yaml") -> TraceEvent {
    event(.runStarted, ["name": .string(name), "file": .string(file), "platform": "emulated", "format": 2])
  }

  static func step(_ step: String, _ more: JSON = [:]) -> TraceEvent {
    event(.stepStarted, merged(["step": .string(step), "stepKind": .string(step), "rule": "the first step"], more))
  }

  static func decision(_ reason: String, detail: Bool = false) -> TraceEvent {
    event(
      .decision,
      ["subject": "accessToken", "verdict": "expired", "reason": .string(reason), "facts": ["detail": .bool(detail)]])
  }

  static func finished(_ step: String, _ outcome: String, verdict: String = "ok", _ more: JSON = [:]) -> TraceEvent {
    event(
      .stepFinished,
      merged(
        [
          "step": .string(step), "stepKind": .string(step), "outcome": .string(outcome), "verdict": .string(verdict),
          "next": "next", "milliseconds": 12.3,
        ], more))
  }

  static func ended(_ outcome: String = "success", path: [String] = ["a.success"], _ more: JSON = [:]) -> TraceEvent {
    event(
      .runFinished,
      merged(
        [
          "outcome": .string(outcome), "path": .array(path.map { .string($0) }), "interactions": 1,
          "milliseconds": 1500,
        ], more))
  }

  private static func merged(_ base: JSON, _ more: JSON) -> JSON {
    var all = base
    more.forEachMember { all[$0] = $1 }
    return all
  }

  /// Returns the complete output of a run.
  static func output(
    _ events: [TraceEvent], width: Int = 80, color: Bool = false, unicode: Bool = true,
    detail: TerminalRunReport.Detail = .normal
  ) -> String {
    var report = TerminalRunReport(style: TerminalStyle(color: color, unicode: unicode, width: width), detail: detail)
    return events.map { report.text(of: $0) }.joined()
  }
}
