import WorkflowModel

/// An entry of a path. For example, `silent.offline` consists of the step `silent` and the outcome `offline`.
struct PathEntry: Equatable, Sendable {
  /// The ID of the step.
  var step: Substring
  var outcome: OutcomeName

  /// Parses a path entry. Returns nil for an entry without an outcome.
  init?(_ entry: String) {
    guard let dot = entry.lastIndex(of: "."),
      let outcome = OutcomeName(rawValue: String(entry[entry.index(after: dot)...]))
    else { return nil }
    step = entry[..<dot]
    self.outcome = outcome
  }

  /// Whether the step's action started. The action does not start if the outcome is `skipped` or `exhausted`.
  var isPerformed: Bool { outcome.isPerformed }
}
