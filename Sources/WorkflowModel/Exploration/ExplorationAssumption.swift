/// Assumed results of conditions and asserts, which a run would evaluate.
///
/// During an exploration, the machine executes `use` and `parallel` as single steps, evaluates only the expected
/// outcomes of an `expect`, and does not retry. Every reported outcome is the final one.
package struct ExplorationAssumption: Sendable {
  /// The results of the first conditions and asserts, in order. Later ones hold.
  let results: [Bool]
  private var assumed: [Subject: Bool] = [:]

  /// The condition or the assert of a step; a step can have both.
  package enum Subject: Hashable, Sendable {
    case condition(String)
    case assert(String)
  }

  /// - Parameter results: The results of the first conditions and asserts. Later ones hold.
  package init(_ results: [Bool] = []) { self.results = results }

  /// The assumed result for a step. Until the next step runs, nothing changes, so the same subject keeps its result.
  package mutating func result(_ subject: (String) -> Subject, of step: String) -> Bool {
    let subject = subject(step)
    if let result = assumed[subject] { return result }
    let result = assumed.count < results.count ? results[assumed.count] : true
    assumed[subject] = result
    return result
  }

  /// Adds the lists with one different result after the end of this list, up to a total of `most`.
  package func addAlternatives(to lists: inout [[Bool]], most: Int) {
    var position = results.count
    while position < assumed.count, lists.count < most {
      lists.append(results + Array(repeating: true, count: position - results.count) + [false])
      position += 1
    }
  }
}

extension WorkflowMachine {
  /// The assumed result of a condition during an exploration; nil otherwise.
  ///
  /// Conditions that use only outcomes of this workflow's steps are evaluated, because the path determines them.
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
  /// Whether the path determines the step's condition.
  func dependsOnlyOnOutcomes(of ids: Set<String>) -> Bool {
    guard case .holds(let expectations) = when else { return false }
    return expectations.allSatisfy { expectation in
      guard case .named(let reference) = expectation.address.subject else { return false }
      return ids.contains(reference.id) && expectation.address.field == ResultField.outcome.rawValue
    }
  }

  /// The steps that its condition uses.
  var referencedSteps: [String] {
    guard case .holds(let expectations) = when else { return [] }
    return expectations.compactMap { expectation in
      if case .named(let reference) = expectation.address.subject { reference.id } else { nil }
    }
  }
}
