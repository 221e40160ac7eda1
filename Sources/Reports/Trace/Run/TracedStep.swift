import Documents
import Effects

/// A run of a step, from its start to its target.
package struct TracedStep: Sendable {
  package enum Status: String, Sendable {
    case ok
    /// The step failed, and the workflow handles the outcome.
    case handled
    case failed
    case skipped
    /// The trace ends before the step.
    case unfinished
  }

  /// An attempt of a step with `retry`.
  package struct Attempt: Hashable, Sendable {
    /// The number, from 1.
    package var number: Int
    package var started: Instant
    /// The end, or nil if the trace ends before it.
    package var ended: Instant?
    /// The reason for another attempt: `offline: attempt 2 after 30s`. Nil for the last one.
    package var reason: String?
  }

  /// The error of a step.
  package struct Failure: Sendable {
    /// MSAL's name of the error.
    package var msal: String?
    /// The error code, such as `AADSTS50076`.
    package var code: String?
    /// The OAuth error.
    package var oauth: String?
    package var suberror: String?
    package var description: String?
    /// The complete error in the trace.
    package var all: JSON
  }

  /// The step ID. Inside `use` with the outer IDs: `login/silent`. In `parallel` with its number: `silent#2`.
  package var id: String
  /// The step type: `silent`, `callGraph`, …
  package var kind: String
  /// The number in the run, from 1. Nil for a skipped step.
  package var number: Int?
  package var description: String?
  package var place: TracedLocation?
  /// The name of the app in the settings.
  package var client: String?
  /// The index of the enclosing `use` or `parallel` step in `TracedRun.steps`.
  package var parent: Int?
  /// The number of enclosing steps.
  package var depth: Int
  /// The rule of the transition to the step.
  package var enteredBy: String
  package var started: Instant
  package var startedSeq: Int
  package var ended: Instant?
  package var endedSeq: Int?
  /// The recorded duration, or nil.
  package var duration: Duration?
  /// The outcome, or nil for an unfinished step.
  package var outcome: String?
  /// The description of the outcome.
  package var means: String?
  package var verdict: Status
  /// The target: a step ID, `next`, `success`, or `failure`.
  package var next: String?
  /// The rule of the transition.
  package var leftBy: String?
  /// The attempts in order, at least one unless the step was skipped.
  package var attempts: [Attempt]
  package var status: Int?
  package var failure: Failure?
  /// A summary of the step's value.
  package var shows: String?
  package var tokenSource: String?
  /// The account, as in expectations.
  package var account: JSON?
  package var previousAccount: JSON?
  package var webview: String?
  package var prompt: String?
  package var loginHint: String?
  /// The failed expectations.
  package var broken: [String]

  /// The indices of the step's own items in the lists of the run.
  package var decisions: [Int] = []
  package var exchanges: [Int] = []
  package var interactions: [Int] = []
  package var cacheWrites: [Int] = []
  package var children: [Int] = []
}
