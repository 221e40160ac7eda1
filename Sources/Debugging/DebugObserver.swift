import Diagnostics
import RunTrace
import Scenarios
import UserSimulation
import WorkflowRunner

/// A receiver of a debug session's events.
package protocol DebugObserver: Sendable {
  /// Receives each stop, on the run's task.
  func stopped(_ stop: RunStop)
  /// Receives the message of a log point.
  func log(_ message: String, at place: FileSpan?)
  /// Returns the receivers for a new execution.
  func executionOutput() -> ExecutionOutput
}

/// The receivers of one execution's events.
package struct ExecutionOutput: Sendable {
  /// The real user who completes the sign-in pages, or nil for the simulated user.
  package var person: (any PagePerson)?
  /// A closure that receives each trace event. `isRepeated` is true if an earlier execution has already sent the event.
  package var event: @Sendable (_ event: TraceEvent, _ isRepeated: Bool) -> Void
  package var ended: @Sendable (ScenarioReport, DebugProgram) -> Void

  package init(
    person: (any PagePerson)? = nil, event: @escaping @Sendable (_ event: TraceEvent, _ isRepeated: Bool) -> Void,
    ended: @escaping @Sendable (ScenarioReport, DebugProgram) -> Void
  ) {
    self.person = person
    self.event = event
    self.ended = ended
  }
}
