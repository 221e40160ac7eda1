import Documents
import Effects
import OrderedCollections

/// Times as a page tells them: since the run's beginning, in the unit that fits.
struct RelativeTimes: Sendable {
  let start: Instant

  init(_ story: TracedRun) { start = story.started }

  /// `+1.2 s`.
  func since(_ time: Instant) -> String { "+\(TerminalRunReport.duration(time - start))" }

  /// A moment for people: `2025-01-01 12:00:05 UTC`.
  static func moment(_ time: Instant) -> String {
    time.rfc3339().replacingFirst("T", with: " ").replacingFirst("Z", with: " UTC")
  }

  /// Seconds since 1970, as a claim or a cache entry has them.
  static func moment(seconds: Int64) -> String? {
    // What is no time of our centuries is a number like any other.
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
