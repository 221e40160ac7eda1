/// Assumed results for conditions and asserts that depend on values.
///
/// During an exploration, the machine executes each `use` and `parallel` as a single step, evaluates only the expected
/// outcomes in `expect`, and does not retry steps. Each reported outcome is the outcome after all retries.
package struct ExplorationAssumption: Sendable {
  /// The results of the first conditions and asserts, in order. All later conditions and asserts hold.
  private let results: [Bool]
  private var assumed: [Subject: Bool] = [:]

  /// The condition or the assertions of a step. A step can have both.
  package enum Subject: Hashable, Sendable {
    case condition(String)
    case assert(String)
  }

  /// - Parameter results: The results of the first conditions and asserts. All later conditions and asserts hold.
  package init(_ results: [Bool] = []) { self.results = results }

  /// Returns the assumed result for a step. No values change until the next step runs, so the result for the same
  /// subject is always the same.
  package mutating func result(_ subject: (String) -> Subject, of step: String) -> Bool {
    let subject = subject(step)
    if let result = assumed[subject] { return result }
    let result = assumed.count < results.count ? results[assumed.count] : true
    assumed[subject] = result
    return result
  }

  /// Adds alternative lists of results until there are `most` lists. In each new list, one later result is false.
  package func addAlternatives(to lists: inout [[Bool]], most: Int) {
    var position = results.count
    while position < assumed.count, lists.count < most {
      lists.append(results + Array(repeating: true, count: position - results.count) + [false])
      position += 1
    }
  }
}

extension WorkflowMachine {
  /// Returns the assumed result of a condition during an exploration. Returns nil in a run.
  ///
  /// Conditions that use only outcomes of this workflow's steps are evaluated, because the path determines their
  /// results.
  mutating func assumedCondition(_ step: Step, _ entry: MachineFrame.Entry) -> Bool? {
    guard assumption != nil, case .holds(let expectations) = step.when else { return nil }
    if case .detour = entry { return nil }
    if step.dependsOnlyOnOutcomes(of: frame.stepIDs) {
      let context = context(of: frame)
      return expectations.allSatisfy { (try? $0.evaluate(context, own: nil).holds) ?? false }
    }
    return assumption?.result(ExplorationAssumption.Subject.condition, of: step.id)
  }
}

extension Step {
  /// Returns whether the path determines the result of the step's condition.
  func dependsOnlyOnOutcomes(of ids: Set<String>) -> Bool {
    guard case .holds(let expectations) = when else { return false }
    return expectations.allSatisfy { expectation in
      guard case .named(let reference) = expectation.address.subject else { return false }
      return ids.contains(reference.id) && expectation.address.field == ResultField.outcome.rawValue
    }
  }

  /// The IDs of the steps to which the condition refers.
  var referencedSteps: [String] {
    guard case .holds(let expectations) = when else { return [] }
    return expectations.compactMap { expectation in
      if case .named(let reference) = expectation.address.subject { reference.id } else { nil }
    }
  }
}
