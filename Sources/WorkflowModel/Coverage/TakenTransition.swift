/// A transition in a run: a step, the step's outcome, and the target of the transition.
package struct TakenTransition: Hashable, Sendable {
  /// The full step ID: `silent`, `login/silent`, `silent#1`.
  package var step: String
  package var outcome: OutcomeName
  /// A full step ID, `success`, or `failure`. Nil for a member of `parallel`, or if an expectation of the step failed.
  package var to: String?

  package init(step: String, outcome: OutcomeName, to: String?) {
    self.step = step
    self.outcome = outcome
    self.to = to
  }

  /// Whether the step ran.
  package var isPerformed: Bool { outcome.isPerformed }
}

/// Collects the transitions of a run from the events of the state machine.
package struct TransitionLog: Sendable {
  private var taken: [TakenTransition] = []
  /// Finished steps whose transition is not known yet, in order of completion.
  private var pending: [TakenTransition] = []

  package init() {}

  package mutating func record(_ events: [MachineEvent]) {
    for event in events {
      switch event {
      case .finished(let id, let outcome, _): addPending(id, outcome)
      case .skipped(let id, _): addPending(id, .skipped)
      case .moved(let from, let outcome, let to, _):
        pending.removeAll { $0.step == from }
        taken.append(TakenTransition(step: from, outcome: outcome, to: to))
      case .started, .captured, .evaluated, .retrying: break
      }
    }
  }

  private mutating func addPending(_ id: String, _ outcome: OutcomeName) {
    // A member of `parallel` stays in `pending`, because it has no transition. When it runs again, record its earlier
    // run.
    if let index = pending.firstIndex(where: { $0.step == id }) { taken.append(pending.remove(at: index)) }
    pending.append(TakenTransition(step: id, outcome: outcome, to: nil))
  }

  /// All transitions in order, followed by the steps without a target.
  package var transitions: [TakenTransition] { taken + pending }
}
