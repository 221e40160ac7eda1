/// An entry of a path. For example, `silent.offline` consists of the step `silent` and the outcome `offline`.
struct PathEntry: Equatable, Sendable {
  /// The ID of the step.
  var step: Substring
  /// The name of the outcome, which contains no dot.
  var outcome: Substring

  /// Parses a path entry. Returns nil for an entry without an outcome.
  init?(_ entry: String) {
    guard let dot = entry.lastIndex(of: ".") else { return nil }
    step = entry[..<dot]
    outcome = entry[entry.index(after: dot)...]
  }

  /// Whether the step's action started. The action does not start if the outcome is `skipped` or `exhausted`.
  var isPerformed: Bool { outcome != "skipped" && outcome != "exhausted" }
}
