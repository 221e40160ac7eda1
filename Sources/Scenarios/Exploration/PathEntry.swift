/// The parts of a path entry: `silent.offline` is the step `silent` with the outcome `offline`.
struct PathEntry: Equatable, Sendable {
  /// The ID of the step.
  var step: Substring
  /// The outcome. Its name contains no dot.
  var outcome: Substring

  /// Returns nil for an entry without an outcome.
  init?(_ entry: String) {
    guard let dot = entry.lastIndex(of: ".") else { return nil }
    step = entry[..<dot]
    outcome = entry[entry.index(after: dot)...]
  }

  /// Whether the step's action started: it was neither skipped nor exhausted.
  var isPerformed: Bool { outcome != "skipped" && outcome != "exhausted" }
}
