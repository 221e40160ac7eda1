import Documents
import OrderedCollections

/// The results of the executed steps: for each run of a step, a mapping from result fields (and `$`) to values.
package struct StepFacts: Sendable {
  /// The results by full step ID (`silent`, `login/silent`, `silent#1`), in the order of the runs.
  package private(set) var runs: OrderedDictionary<String, [JSON]> = [:]

  package init() {}

  package mutating func record(_ id: String, _ facts: JSON) {
    runs[id, default: []].append(facts)
  }

  /// The result of a run of a step, or nil if there is no such run.
  package func facts(of step: ValuePath.StepReference, prefix: String = "") -> JSON? {
    guard let all = runs[prefix + step.id] else { return nil }
    guard let run = step.run else { return all.last }
    return all.indices.contains(run - 1) ? all[run - 1] : .none
  }
}

/// The context for evaluating addresses: the results of all steps, captures, and inputs at one point of a run.
package struct EvaluationContext: Sendable {
  package var facts: StepFacts
  /// Captures and inputs, also for `${…}` in expectations. Captures take precedence.
  package var scope: ValueScope
  /// The prefix of the step IDs if another workflow uses this one: `login/`.
  package var prefix: String
  /// The IDs of the workflow's steps. A name that is a step ID never refers to a capture.
  package var stepIDs: Set<String>

  package init(facts: StepFacts, scope: ValueScope, prefix: String = "", stepIDs: Set<String>) {
    self.facts = facts
    self.scope = scope
    self.prefix = prefix
    self.stepIDs = stepIDs
  }

  /// Looks up an address.
  /// - Parameter own: The result of the step that contains the address, if any.
  /// - Throws: If a path exceeds its evaluation budget.
  package func find(_ address: ValuePath, own: JSON?) throws(UnresolvedValue) -> ValueLookup {
    switch address.subject {
    case .own:
      if let own { return try address.follow(from: own, ofStep: true) }
      // Outside of a step, a bare name refers to a capture or an input.
      guard let name = address.field, let value = scope.names[name] else { return .nothing }
      return try address.follow(from: value, ofStep: false, skipping: 1)
    case .named(let step):
      let isStep = address.field != nil && (stepIDs.contains(step.id) || facts.facts(of: step, prefix: prefix) != nil)
      if isStep || step.run != nil || step.id.contains(where: { $0 == "/" || $0 == "#" }) {
        guard let result = facts.facts(of: step, prefix: prefix) else { return .nothing }
        return try address.follow(from: result, ofStep: true)
      }
      guard let value = scope.names[step.id] else { return .nothing }
      return try address.follow(from: value, ofStep: false)
    }
  }
}
