import Documents
import Effects

/// An execution of a step, from the start of the step to the transition to the next step.
package struct TracedStep: Sendable {
  package enum Status: String, Sendable {
    case ok
    /// The step failed, and the workflow handles the outcome.
    case handled
    case failed
    case skipped
    /// The trace ends before the step does.
    case unfinished
  }

  /// An attempt to execute a step that has `retry`.
  package struct Attempt: Hashable, Sendable {
    /// The number of the attempt, starting at 1.
    package var number: Int
    package var started: Instant
    /// The end time, or nil if the trace ends before the attempt does.
    package var ended: Instant?
    /// The reason for the next attempt, such as `offline: attempt 2 after 30s`. Nil for the last attempt.
    package var reason: String?
  }

  /// The error that caused a step to fail.
  package struct Failure: Sendable {
    /// MSAL's name for the error.
    package var msal: String?
    /// The error code, such as `AADSTS50076`.
    package var code: String?
    /// The OAuth error.
    package var oauth: String?
    package var suberror: String?
    package var description: String?
    /// The complete error, as in the trace.
    package var all: JSON
  }

  /// The step ID. Inside `use`, the ID includes the outer IDs, as in `login/silent`. Inside `parallel`, it includes a
  /// number, as in `silent#2`.
  package var id: String
  /// The step type, such as `silent` or `callGraph`.
  package var kind: String
  /// The step's number in the run, starting at 1. Nil for a skipped step.
  package var number: Int?
  package var description: String?
  package var place: TracedLocation?
  /// The name of the app.
  package var client: String?
  /// The index of the enclosing `use` or `parallel` step in `TracedRun.steps`.
  package var parent: Int?
  /// The number of enclosing steps.
  package var depth: Int
  /// The rule that caused the transition to this step.
  package var enteredBy: String
  package var started: Instant
  package var startedSeq: Int
  package var ended: Instant?
  package var endedSeq: Int?
  /// The recorded duration, or nil if the trace does not contain it.
  package var duration: Duration?
  /// The outcome, or nil for an unfinished step.
  package var outcome: String?
  /// A description of the outcome.
  package var means: String?
  package var verdict: Status
  /// The transition target, which is a step ID, `next`, `success`, or `failure`.
  package var next: String?
  /// The rule that caused the transition to the target.
  package var leftBy: String?
  /// The attempts in order. The list is empty only if the step was skipped.
  package var attempts: [Attempt]
  package var status: Int?
  package var failure: Failure?
  /// A summary of the value that the step returned.
  package var shows: String?
  package var tokenSource: String?
  /// The account, in the same format as in expectations.
  package var account: JSON?
  package var previousAccount: JSON?
  package var webview: String?
  package var prompt: String?
  package var loginHint: String?
  /// The failed expectations.
  package var broken: [String]

  /// The indices of the step's own items in the run's lists.
  package var decisions: [Int] = []
  package var exchanges: [Int] = []
  package var interactions: [Int] = []
  package var cacheWrites: [Int] = []
  package var children: [Int] = []
}
