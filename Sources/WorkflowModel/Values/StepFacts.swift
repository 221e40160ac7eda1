import Documents
import OrderedCollections

/// The results of the executed steps. Each run of a step has a mapping from result fields (and `$`) to values.
package struct StepFacts: Sendable {
  /// The results by full step ID (`silent`, `login/silent`, `silent#1`), in run order.
  package private(set) var runs: OrderedDictionary<String, [JSON]> = [:]

  package init() {}

  package mutating func record(_ id: String, _ facts: JSON) {
    runs[id, default: []].append(facts)
  }

  /// Returns the result of a step's run, or nil if there is no such run.
  package func facts(of step: ValuePath.StepReference, prefix: String = "") -> JSON? {
    guard let results = runs[prefix + step.id] else { return nil }
    guard let run = step.run else { return results.last }
    return results.indices.contains(run - 1) ? results[run - 1] : .none
  }
}

/// The context for evaluating addresses: the results of all steps, the captures, and the inputs at one point in a run.
package struct EvaluationContext: Sendable {
  package var facts: StepFacts
  /// Captures and inputs, for addresses and for `${…}` in expectations. Captures take precedence.
  package var scope: ValueScope
  /// The prefix of the step IDs in a nested workflow, such as `login/`.
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
  /// - Throws: An error if the evaluation of a JSONPath exceeds its limits.
  package func find(_ address: ValuePath, own: JSON?) throws(UnresolvedValue) -> ValueLookup {
    switch address.subject {
    case .own:
      if let own { return try address.follow(from: own, isStepResult: true) }
      // In `when` and `assert`, a bare name refers to a capture or an input.
      guard let name = address.field, let value = scope.names[name] else { return .nothing }
      return try address.follow(from: value, isStepResult: false, skipping: 1)
    case .named(let step):
      let isStep = address.field != nil && (stepIDs.contains(step.id) || facts.facts(of: step, prefix: prefix) != nil)
      if isStep || step.run != nil || step.id.contains(where: { $0 == "/" || $0 == "#" }) {
        guard let result = facts.facts(of: step, prefix: prefix) else { return .nothing }
        return try address.follow(from: result, isStepResult: true)
      }
      guard let value = scope.names[step.id] else { return .nothing }
      return try address.follow(from: value, isStepResult: false)
    }
  }
}
