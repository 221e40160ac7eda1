/// What an exploration supposes of conditions and asserts, where a run would look at its facts.
///
/// An explored machine performs `use` and `together` as one step each, judges of an `expect` only which outcome it asks
/// for, and tries nothing again: each end that it is told is the step's last.
struct Supposition: Sendable {
  /// What those that are met next come to; beyond the list they hold.
  let answers: [Bool]
  private(set) var asked = 0

  init(_ answers: [Bool] = []) { self.answers = answers }

  mutating func answer() -> Bool {
    defer { asked += 1 }
    return asked < answers.count ? answers[asked] : true
  }

  /// The lists that answer something else for the first time where this one ran out.
  var alternatives: [[Bool]] {
    guard asked > answers.count else { return [] }
    return (answers.count..<asked).map { position in
      answers + Array(repeating: true, count: position - answers.count) + [false]
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
    return supposition?.answer()
  }
}

extension Step {
  /// Whether its condition can be decided by the way alone.
  func asksOnlyForOutcomes(of ids: Set<String>) -> Bool {
    guard case .holds(let expectations) = when else { return false }
    return expectations.allSatisfy { expectation in
      guard case .named(let reference) = expectation.address.subject else { return false }
      return ids.contains(reference.id) && expectation.address.word == Word.outcome.rawValue
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
