/// What an exploration supposes of conditions and asserts, where a run would look at its facts.
///
/// An explored machine performs `use` and `parallel` as one step each, judges of an `expect` only which outcome it asks
/// for, and tries nothing again: each end that it is told is the step's last.
package struct ExplorationAssumption: Sendable {
  /// What those that are met for the first time come to, in the order of meeting; beyond the list they hold.
  let answers: [Bool]
  private var given: [Question: Bool] = [:]

  /// What of a step is asked: one that is an assert may have a condition as well.
  package enum Question: Hashable, Sendable {
    case condition(String)
    case assert(String)
  }

  /// - Parameter answers: the results of the first conditions and asserts; later ones hold.
  package init(_ answers: [Bool] = []) { self.answers = answers }

  /// What the condition or the assert of a step comes to: nothing happens between two meetings in one go of the
  /// machine, so a step that is met again answers what it answered before.
  package mutating func answer(_ question: (String) -> Question, of step: String) -> Bool {
    let question = question(step)
    if let answer = given[question] { return answer }
    let answer = given.count < answers.count ? answers[given.count] : true
    given[question] = answer
    return answer
  }

  /// Adds the lists that answer something else for the first time where this one ran out, until there are `most`.
  package func addAlternatives(to lists: inout [[Bool]], most: Int) {
    var position = answers.count
    while position < given.count, lists.count < most {
      lists.append(answers + Array(repeating: true, count: position - answers.count) + [false])
      position += 1
    }
  }
}

extension WorkflowMachine {
  /// Whether a condition holds in an exploration; nil where none is under way, or nothing is asked.
  ///
  /// What the way so far decides is decided by it: conditions that only ask how steps of this workflow ended.
  mutating func supposed(_ step: Step, _ entry: MachineFrame.Entry) -> Bool? {
    guard supposition != nil, case .holds(let expectations) = step.when else { return nil }
    if case .detour = entry { return nil }
    if step.asksOnlyForOutcomes(of: frame.stepIDs) {
      let knowledge = knowledge(of: frame)
      return expectations.allSatisfy { (try? $0.judge(knowledge, own: nil).holds) ?? false }
    }
    return supposition?.answer(ExplorationAssumption.Question.condition, of: step.id)
  }
}

extension Step {
  /// Whether its condition can be decided by the way alone.
  func asksOnlyForOutcomes(of ids: Set<String>) -> Bool {
    guard case .holds(let expectations) = when else { return false }
    return expectations.allSatisfy { expectation in
      guard case .named(let reference) = expectation.address.subject else { return false }
      return ids.contains(reference.id) && expectation.address.word == ResultField.outcome.rawValue
    }
  }

  /// The steps whose outcomes its condition asks for.
  var askedSteps: [String] {
    guard case .holds(let expectations) = when else { return [] }
    return expectations.compactMap { expectation in
      if case .named(let reference) = expectation.address.subject { reference.id } else { nil }
    }
  }
}
