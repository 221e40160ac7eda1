import OrderedCollections
import WorkflowModel

/// What is still to happen before steps, while a run goes on.
struct PendingBeforeEvents: Sendable {
  private var waiting: BeforeSteps
  /// How often each step has run.
  private var runs: [String: Int] = [:]
  /// Why something could not happen.
  var impossible: UnresolvedValue?

  init(_ before: BeforeSteps) {
    waiting = before
  }

  /// A step begins; every attempt of a retry is the same time.
  mutating func take(_ id: String) -> [ScriptedEvent]? {
    guard !waiting.isEmpty else { return nil }
    runs[id, default: 0] += 1
    return waiting.removeValue(forKey: .init(id, run: runs[id]))?.events
  }

  /// What never happened, because the run did not come to its step.
  var unmet: [BeforeStep] { Array(waiting.values) }
}
