import Diagnostics
import Documents
import Effects
import OAuth
import OrderedCollections
import RunTrace

/// The progress of a run, shown as lines that are updated in place: the current steps, and the request or user
/// interaction that each step is waiting for.
package struct RunProgress: Sendable {
  private struct Running: Sendable {
    var since: Instant
    /// The ID and host of the last request that has no response yet.
    var request: (id: Int64, host: String)?
    /// The label and end time of a wait.
    var wait: (words: String, until: Instant)?
    var hasUser = false
  }

  private var running: OrderedDictionary<String, Running> = [:]

  /// The maximum number of lines. The limit keeps earlier output visible.
  private static let mostLines = 6

  package init() {}

  package mutating func take(_ event: TraceEvent) {
    guard let step = event.members["step"]?.string else { return }
    switch event.kind {
    case .stepStarted: running[step] = Running(since: event.time)
    case .stepFinished: running[step] = nil
    case .httpRequest:
      guard let id = event.members["id"]?.integer, let url = event.members["url"]?.string else { return }
      running[step]?.request = (id, CaretFrame.visible(URLReference(url).authority ?? ""))
    case .httpResponse:
      guard running[step]?.request?.id == event.members["id"]?.integer else { return }
      running[step]?.request = nil
    case .decision:
      guard let until = event.members["facts"]?["until"]?.string.flatMap({ Instant(rfc3339: $0) }) else { return }
      running[step]?.wait = (Self.words[event.members["subject"]?.string ?? ""] ?? "continues in", until)
    case .interaction: running[step]?.hasUser = event.members["phase"]?.string != "ended"
    default: break
    }
  }

  private static let words = [
    "deviceCode": "waiting for the user, device code valid for", "retry": "retrying in", "wait": "waiting for",
  ]

  /// Returns the current lines. Each line is narrower than the terminal.
  package func lines(at now: Instant, style: TerminalStyle) -> [String] {
    var lines = running.suffix(Self.mostLines).map { step, running in
      let sign = style.unicode ? "…" : "..."
      let time = Self.countdown(now - running.since)
      let words = "\(sign) \(CaretFrame.visible(step))  \(time)" + (Self.wait(running, now).map { ", \($0)" } ?? "")
      return style.shown(String(words.prefix(style.width - 1)))
    }
    if running.count > Self.mostLines { lines.append("  and \(running.count - Self.mostLines) more") }
    return lines.map { style.paint($0, .dim) }
  }

  private static func wait(_ running: Running, _ now: Instant) -> String? {
    if let wait = running.wait, wait.until > now { return "\(wait.words) \(countdown(wait.until - now))" }
    if running.hasUser { return "waiting for the user at the sign-in page" }
    return running.request.map { "waiting for \($0.host)" }
  }

  /// Formats a duration, rounded up to whole seconds, such as `9 s`, `14 min 3 s`, or `2 h 5 min`.
  static func countdown(_ time: Duration) -> String {
    let seconds = Int(max(0, time.inSeconds.rounded(.up)))
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min \(seconds % 60) s"
    default: "\(seconds / 3600) h \(seconds / 60 % 60) min"
    }
  }
}
