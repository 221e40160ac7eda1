import Documents
import OrderedCollections

/// What is known of the steps that ran: for each run of a step a mapping from the language's words (and `$`, its value).
package struct StepFacts: Sendable {
  /// By full step id (`silent`, `login/silent`, `silent#1`), in the order of the runs.
  package private(set) var runs: OrderedDictionary<String, [JSON]> = [:]

  package init() {}

  package mutating func record(_ id: String, _ facts: JSON) {
    runs[id, default: []].append(facts)
  }

  /// The facts of one run of a step; nil where it did not run (so often).
  package func facts(of step: ValuePath.StepReference, prefix: String = "") -> JSON? {
    guard let all = runs[prefix + step.id] else { return nil }
    guard let run = step.run else { return all.last }
    return all.indices.contains(run - 1) ? all[run - 1] : .none
  }
}

/// Where addresses are looked up at one moment: the step's own facts, all others', captures and inputs.
package struct EvaluationContext: Sendable {
  package var facts: StepFacts
  /// Captures over inputs, and where `${…}` in an expectation is read.
  package var scope: ValueScope
  /// What stands before the ids of this workflow's steps, when another one uses it: `login/`.
  package var prefix: String
  /// The ids of the workflow's steps: a name that is one of them is never a capture's.
  package var stepIDs: Set<String>

  package init(facts: StepFacts, scope: ValueScope, prefix: String = "", stepIDs: Set<String>) {
    self.facts = facts
    self.scope = scope
    self.prefix = prefix
    self.stepIDs = stepIDs
  }

  /// - Parameter own: the facts of the step that the address stands in, where there is one.
  /// - Throws: if a path exceeds the budget of its evaluation.
  package func find(_ address: ValuePath, own: JSON?) throws(UnresolvedValue) -> ValueLookup {
    switch address.subject {
    case .own:
      if let own { return try address.follow(from: own, ofStep: true) }
      // Outside a step a bare word can only be a capture or an input of that name.
      guard let name = address.word, let value = scope.names[name] else { return .nothing }
      return try address.follow(from: value, ofStep: false, skipping: 1)
    case .named(let step):
      let isStep = address.word != nil && (stepIDs.contains(step.id) || facts.facts(of: step, prefix: prefix) != nil)
      if isStep || step.run != nil || step.id.contains(where: { $0 == "/" || $0 == "#" }) {
        guard let found = facts.facts(of: step, prefix: prefix) else { return .nothing }
        return try address.follow(from: found, ofStep: true)
      }
      guard let value = scope.names[step.id] else { return .nothing }
      return try address.follow(from: value, ofStep: false)
    }
  }
}
