import Documents
import OrderedCollections
import WorkflowModel

/// A debugger that can suspend a run at each point.
package protocol RunDebugger: Sendable {
  /// Called at each point of a run, in execution order. The run is suspended until the method returns.
  ///
  /// Scenarios are deterministic, so the sequence of points is the same in each run.
  /// - Returns: Whether the run continues. If not, it ends with the outcome `stopped`.
  func reached(_ point: RunPoint, in run: RunInspection) async -> Bool
}

/// A point in a run at which a debugger can suspend the run.
package enum RunPoint: Sendable {
  /// A step or a member of `parallel` is about to start. `attempt` is greater than 1 if the step is retried.
  case step(attempt: Int)
  /// A step has finished with an outcome, and its captures are set.
  case outcome(OutcomeName, Transition?)
  /// An expectation was evaluated: an entry of a step's `expect`, of `assert`, or of the scenario's `expect`.
  case expectation(ExpectationResult)

  /// The transition after an outcome.
  package struct Transition: Sendable {
    /// The full ID of the next step, `success`, or `failure`.
    package var to: String
    package var rule: Transitions.Rule
  }
}

/// The state of a run as of the last reported machine event.
///
/// The machine can make several transitions in one call, so its own state can be ahead of the point that a debugger
/// sees.
struct RunLedger: Sendable {
  private(set) var facts = StepFacts()
  /// The result of the step that finished last.
  private(set) var lastResult: JSON?
  private(set) var path: [String] = []
  /// The inputs and captures of each workflow, by the prefix of its step IDs.
  private(set) var names: [String: ValueScope] = [:]

  /// Updates the state with a machine event.
  mutating func apply(_ event: MachineEvent, of frames: [RunInspection.Frame], in machine: WorkflowMachine) {
    for frame in frames where names[frame.prefix] == nil {
      var scope = machine.scope(ofWorkflowAt: frame.prefix) ?? ValueScope(names: frame.workflow.inputValues())
      scope.names = scope.names.filter { frame.workflow.inputs[$0.key] != nil }
      names[frame.prefix] = scope
    }
    switch event {
    case .started(let id, _): names[id + "/"] = nil
    case .finished(let id, let outcome, let facts):
      self.facts.record(id, facts)
      lastResult = facts
      if frames.count == 1 { path.append("\(id).\(outcome)") }
      if case .use? = frames.last?.step.action, let captures = facts["$"]?.object {
        // The captures of a nested workflow are also captures of the outer workflow.
        for (name, value) in captures { names[frames.last?.prefix ?? ""]?.names[name] = value }
      }
    case .skipped(let id, _):
      facts.record(id, ["outcome": .string(OutcomeName.skipped.rawValue)])
      if frames.count == 1 { path.append("\(id).\(OutcomeName.skipped)") }
    case .captured(_, let name, let value): names[frames.last?.prefix ?? ""]?.names[name] = value
    case .evaluated, .retrying, .moved: break
    }
  }
}

extension MachineEvent {
  /// The full ID of the step.
  var step: String {
    switch self {
    case .started(let id, _), .finished(let id, _, _), .skipped(let id, _), .captured(let id, _, _),
      .evaluated(let id, _), .retrying(let id, _, _, _), .moved(let id, _, _, _):
      id
    }
  }

  /// Returns the points at which a debugger can suspend the run for this event.
  /// - Parameter later: The events that the machine reported after this event.
  func points(before later: ArraySlice<MachineEvent>) -> [RunPoint] {
    switch self {
    case .started(_, let attempt): return [.step(attempt: attempt)]
    case .evaluated(_, let results): return results.map { .expectation($0) }
    case .moved(_, let outcome, let to, let rule): return [.outcome(outcome, .init(to: to, rule: rule))]
    case .finished(let id, let outcome, _): return moves(id, in: later) ? [] : [.outcome(outcome, nil)]
    case .skipped(let id, _): return moves(id, in: later) ? [] : [.outcome(.skipped, nil)]
    case .captured, .retrying: return []
    }
  }

  /// Returns whether the machine leaves the step. Members of `parallel` and steps with failed expectations have no
  /// transition.
  private func moves(_ id: String, in later: ArraySlice<MachineEvent>) -> Bool {
    for event in later {
      switch event {
      case .moved(id, _, _, _): return true
      case .started(id, _): return false
      default: continue
      }
    }
    return false
  }
}
