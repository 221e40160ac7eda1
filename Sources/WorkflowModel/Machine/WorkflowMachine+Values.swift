import Diagnostics
import Documents
import OrderedCollections

/// The result of an executed step.
package struct StepReport: Sendable {
  /// The outcome of the step.
  package var outcome: OutcomeName
  /// The result fields, and the value as `$`. In addition, `challenge` contains the claims of a claims challenge, and
  /// `retryAfter` contains the number of seconds before a retry.
  package var facts: OrderedDictionary<String, JSON>

  package init(_ outcome: OutcomeName, facts: OrderedDictionary<String, JSON> = [:]) {
    self.outcome = outcome
    self.facts = facts
  }

  /// - Parameter facts: A mapping. Other values are ignored.
  package init(_ outcome: OutcomeName, json facts: JSON) {
    self.init(outcome, facts: facts.object ?? [:])
  }

  /// The number of attempts. The default is 1 if the step does not report a number.
  var attempts: Int64 { facts["attempts"]?.integer ?? 1 }
}

/// A step to execute.
package struct StepInvocation: Sendable {
  /// The full step ID with which the runner reports the result, such as `silent`, `login/silent`, or `silent#1`.
  package var id: String
  /// The step, including inherited parameters of a fallback.
  package var step: Step
  /// The attempt, counted from 1.
  package var attempt: Int
  /// The delay before the step.
  package var delay: Duration?
  /// The claims that an API or the server requires. A token step sends these claims.
  package var challengeClaims: JSON?
  /// The ID of the step from which this step inherits parameters.
  package var inheritedFrom: String?
  /// The values of `${…}`.
  package var scope: ValueScope
  /// The workflow that contains the step. Paths are relative to its document.
  package var workflow: Workflow
}

/// The next action for the machine's runner.
package enum Action: Sendable {
  /// Execute these steps at the same time and report each result. If the list is empty, wait for the results of running
  /// steps.
  case perform([StepInvocation])
  /// The workflow is complete.
  case finish(WorkflowResult)
}

/// The result of a workflow.
package struct WorkflowResult: Sendable {
  package enum Reason: Sendable {
    case succeeded
    /// The outcome of a step led to failure.
    case outcome
    /// An expectation failed.
    case expectation([ExpectationResult])
    /// The workflow exceeded `maxSteps`.
    case tooManySteps(Int)
    /// A value could not be resolved.
    case unresolved(UnresolvedValue)
  }

  /// The full ID of the step that ended the workflow. Nil if the workflow reached the end of the list.
  package var step: String?
  /// `success`, or the outcome that ended the workflow: for example, `exhausted` after too many steps, or `violated`
  /// for a failed expectation.
  package var outcome: OutcomeName
  package var reason: Reason

  package init(step: String?, outcome: OutcomeName, reason: Reason) {
    self.step = step
    self.outcome = outcome
    self.reason = reason
  }

  /// Creates the result of a workflow that ends because a value in a step cannot be resolved.
  init(step: String, unresolved error: UnresolvedValue) {
    self.init(step: step, outcome: .violated, reason: .unresolved(error))
  }

  package static let success = WorkflowResult(step: nil, outcome: .success, reason: .succeeded)

  package var succeeded: Bool {
    if case .succeeded = reason { true } else { false }
  }
}

/// An event of the state machine, for the trace.
package enum MachineEvent: Sendable {
  case started(id: String, attempt: Int)
  case finished(id: String, outcome: OutcomeName, facts: JSON)
  case skipped(id: String, reason: String)
  case captured(id: String, name: String, value: JSON)
  case evaluated(id: String, [ExpectationResult])
  case retrying(id: String, outcome: OutcomeName, attempt: Int, delay: Duration)
  /// `to` is a full step ID, `success`, or `failure`.
  case moved(from: String, outcome: OutcomeName, to: String, rule: Transitions.Rule)
}
