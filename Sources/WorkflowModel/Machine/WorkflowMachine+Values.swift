import Diagnostics
import Documents
import OrderedCollections

/// What became of a step, as whoever performed it tells the machine.
package struct StepReport: Sendable {
  /// One of the step's outcomes.
  package var outcome: String
  /// What is known of the result: the language's words, `$` for the value, and for the machine itself `challenge` (the
  /// claims of a claims challenge) and `retryAfter` (seconds).
  package var facts: OrderedDictionary<String, JSON>

  package init(_ outcome: String, facts: OrderedDictionary<String, JSON> = [:]) {
    self.outcome = outcome
    self.facts = facts
  }

  /// - Parameter facts: a mapping; anything else counts as none.
  package init(_ outcome: String, json facts: JSON) {
    self.init(outcome, facts: facts.object ?? [:])
  }

  /// How often it was tried: once, where the step does not try again by itself and count.
  var tries: Int64 { facts["attempts"]?.integer ?? 1 }
}

/// A step that is to be performed now.
package struct StepInvocation: Sendable {
  /// The full id by which its end is told: `silent`, `login/silent`, `silent#1`.
  package var id: String
  /// The step; what a fallback inherits is filled in already.
  package var step: Step
  /// Counts from 1; higher where it is tried again.
  package var attempt: Int
  /// How long to wait before.
  package var delay: Duration?
  /// The claims that an API or the server challenged with, to be sent along by this token step.
  package var challengeClaims: JSON?
  /// The id of the step whose parameters were inherited.
  package var inheritedFrom: String?
  /// Where its `${…}` are read.
  package var scope: ValueScope
  /// The workflow that the step stands in: paths are relative to its document.
  package var workflow: Workflow
}

/// What the machine wants done.
package enum Action: Sendable {
  /// Perform these at the same time, and tell the end of each; an empty list asks to go on waiting for the others.
  case perform([StepInvocation])
  /// It is over.
  case finish(WorkflowResult)
}

/// How a workflow ended.
package struct WorkflowResult: Sendable {
  package enum Reason: Sendable {
    case succeeded
    /// A step's outcome led to failure.
    case outcome
    /// An expectation did not hold.
    case expectation([ExpectationResult])
    /// More than `maxSteps` steps.
    case tooManySteps(Int)
    /// A value could not be filled in.
    case unresolved(UnresolvedValue)
  }

  /// The full id of the step that ended it; nil where the list simply came to its end.
  package var step: String?
  /// `success`, or the outcome that ended it: `exhausted` after too many steps, `broken` where an expectation did not hold.
  package var outcome: String
  package var reason: Reason

  package init(step: String?, outcome: String, reason: Reason) {
    self.step = step
    self.outcome = outcome
    self.reason = reason
  }

  package static let success = WorkflowResult(step: nil, outcome: "success", reason: .succeeded)

  package var succeeded: Bool {
    if case .succeeded = reason { true } else { false }
  }
}

/// What the machine did, in order, for the trace.
package enum MachineEvent: Sendable {
  case started(id: String, attempt: Int)
  case finished(id: String, outcome: String, facts: JSON)
  case skipped(id: String, reason: String)
  case captured(id: String, name: String, value: JSON)
  case judged(id: String, [ExpectationResult])
  case retrying(id: String, outcome: String, attempt: Int, delay: Duration)
  /// `to` is a step's full id, `success` or `failure`.
  case moved(from: String, outcome: String, to: String, rule: Transitions.Rule)
}
