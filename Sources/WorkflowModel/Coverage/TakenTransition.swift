/// A transition of a run: a step, its outcome, and its target.
package struct TakenTransition: Hashable, Sendable {
  /// The full step ID: `silent`, `login/silent`, `silent#1`.
  package var step: String
  package var outcome: String
  /// A full step ID, `success`, or `failure`. Nil for a member of `parallel`, or if an expectation of the step failed.
  package var to: String?

  package init(step: String, outcome: String, to: String?) {
    self.step = step
    self.outcome = outcome
    self.to = to
  }

  /// Whether the step ran.
  package var isPerformed: Bool { outcome != Outcome.skipped.name && outcome != Outcome.exhausted.name }
}

/// Collects the transitions of a run from the events of its machine.
package struct TransitionLog: Sendable {
  private var taken: [TakenTransition] = []
  /// Finished steps without a transition yet, in the order in which they finished.
  private var ended: [TakenTransition] = []

  package init() {}

  package mutating func record(_ events: [MachineEvent]) {
    for event in events {
      switch event {
      case .finished(let id, let outcome, _): end(id, outcome)
      case .skipped(let id, _): end(id, Outcome.skipped.name)
      case .moved(let from, let outcome, let to, _):
        ended.removeAll { $0.step == from }
        taken.append(TakenTransition(step: from, outcome: outcome, to: to))
      case .started, .captured, .evaluated, .retrying: break
      }
    }
  }

  private mutating func end(_ id: String, _ outcome: String) {
    // Members of `parallel` have no transition. If the step runs again, the first run is still counted.
    if let index = ended.firstIndex(where: { $0.step == id }) { taken.append(ended.remove(at: index)) }
    ended.append(TakenTransition(step: id, outcome: outcome, to: nil))
  }

  /// All transitions in order, followed by the steps without a target.
  package var transitions: [TakenTransition] { taken + ended }
}
