import Documents
import Effects
import OrderedCollections

/// A formatter for times relative to the start of the run, which selects an appropriate unit.
struct RelativeTimes: Sendable {
  let start: Instant

  init(_ tracedRun: TracedRun) { start = tracedRun.started }

  /// Returns the time since the start of the run, such as `+1.2 s`.
  func since(_ time: Instant) -> String { "+\(TerminalRunReport.duration(time - start))" }

  /// Returns an absolute time, such as `2025-01-01 12:00:05 UTC`.
  static func moment(_ time: Instant) -> String {
    time.rfc3339().replacingFirst("T", with: " ").replacingFirst("Z", with: " UTC")
  }

  /// Formats a time in seconds since 1970, as in claims and cache entries. Returns nil if the number is not a plausible
  /// time.
  static func moment(seconds: Int64) -> String? {
    // Numbers outside this range are not times.
    guard (0...16_725_225_600).contains(seconds) else { return nil }
    let time = Instant(secondsSince1970: seconds)
    return time.secondsSince1970 == seconds ? moment(time) : nil
  }
}

extension String {
  fileprivate func replacingFirst(_ character: Character, with text: String) -> String {
    guard let index = firstIndex(of: character) else { return self }
    return self[..<index] + text + self[self.index(after: index)...]
  }
}
