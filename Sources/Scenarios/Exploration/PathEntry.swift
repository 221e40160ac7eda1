/// An entry of a path in its parts: `silent.offline` is the step `silent` that ended in `offline`.
struct PathEntry: Equatable, Sendable {
  /// The step's id.
  var step: Substring
  /// How it ended: an outcome's name holds no dot.
  var outcome: Substring

  /// nil for what has no outcome.
  init?(_ entry: String) {
    guard let dot = entry.lastIndex(of: ".") else { return nil }
    step = entry[..<dot]
    outcome = entry[entry.index(after: dot)...]
  }

  /// Whether the step's action was begun: neither its condition nor its bound kept it from that.
  var isPerformed: Bool { outcome != "skipped" && outcome != "exhausted" }
}
