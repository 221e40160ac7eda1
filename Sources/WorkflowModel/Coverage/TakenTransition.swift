/// One way that a run took: a step, what became of it, and where the machine went.
package struct TakenTransition: Hashable, Sendable {
  /// The step's full id: `silent`, `login/silent`, `silent#1`.
  package var step: String
  package var outcome: String
  /// A step's full id, `success` or `failure`; nil where it led nowhere by itself: a member of `parallel`, or a step whose
  /// expectation did not hold.
  package var to: String?

  package init(step: String, outcome: String, to: String?) {
    self.step = step
    self.outcome = outcome
    self.to = to
  }

  /// Whether the step did anything.
  package var isPerformed: Bool { outcome != Outcome.skipped.name && outcome != Outcome.exhausted.name }
}

/// Gathers the transitions of a run from what its machine tells.
package struct TransitionLog: Sendable {
  private var taken: [TakenTransition] = []
  /// Steps that have ended and gone nowhere yet, in the order of their ends.
  private var ended: [TakenTransition] = []

  package init() {}

  package mutating func note(_ events: [MachineEvent]) {
    for event in events {
      switch event {
      case .finished(let id, let outcome, _): end(id, outcome)
      case .skipped(let id, _): end(id, Outcome.skipped.name)
      case .moved(let from, let outcome, let to, _):
        ended.removeAll { $0.step == from }
        taken.append(TakenTransition(step: from, outcome: outcome, to: to))
      case .started, .captured, .judged, .retrying: break
      }
    }
  }

  private mutating func end(_ id: String, _ outcome: String) {
    // A member of `parallel` moves nowhere; where its step runs again, its first time is not forgotten.
    if let index = ended.firstIndex(where: { $0.step == id }) { taken.append(ended.remove(at: index)) }
    ended.append(TakenTransition(step: id, outcome: outcome, to: nil))
  }

  /// Everything that was taken, in order; what went nowhere stands last.
  package var transitions: [TakenTransition] { taken + ended }
}
