import OrderedCollections
import WorkflowModel

/// The `before` events that have not occurred yet.
struct PendingBeforeEvents: Sendable {
  private var waiting: BeforeSteps
  /// The number of times that each step has run.
  private var runs: [String: Int] = [:]
  /// The unresolved value that made an event fail, or nil.
  var impossible: UnresolvedValue?

  init(_ before: BeforeSteps) {
    waiting = before
  }

  /// Counts a run of a step, and returns the events that occur before this run. A step and its retries count as one
  /// run.
  mutating func take(_ id: String) -> [ScriptedEvent]? {
    guard !waiting.isEmpty else { return nil }
    runs[id, default: 0] += 1
    return waiting.removeValue(forKey: .init(id, run: runs[id]))?.events
  }

  /// The events that did not occur because their step did not run.
  var unmet: [BeforeStep] { Array(waiting.values) }
}
