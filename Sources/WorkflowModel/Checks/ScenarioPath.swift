import Diagnostics
import Documents

extension WorkflowCheck {
  /// An expected path with steps or outcomes that do not exist, or that no run can take.
  static let scenarioPath = WorkflowCheck(
    "scenario-path", .error, needsEveryStep: true,
    "the entries of an expected path are steps with outcomes that they have, in an order that a run can take"
  ) { checked in
    let own = checked.workflow.ownSteps
    let guess = NameGuess((checked.workflow.steps + checked.workflow.finally).map(\.id))
    var left = Self.mostStates
    // The rows of a matrix share what they do not override: each way is walked once.
    var seen: Set<String> = []
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard let expect = scenario.body.expect, expect.path != nil || expect.outcome != nil else { return [] }
      let starts = [expect.path?.place, expect.outcome?.place].map { $0?.span?.start ?? -1 }
      guard seen.insert("\(starts)").inserted else { return [] }
      let unknown = (expect.path?.elements ?? []).compactMap { element -> Diagnostic? in
        guard case .entry(let id, let outcome) = element.value else { return nil }
        guard let step = own[id]?.step else { return .unknownStep(id, guess, at: element.place) }
        return step.outcome(named: outcome) == nil ? .unknownEntry(step, outcome, at: element.place) : nil
      }
      guard unknown.isEmpty else { return unknown }
      guard left > 0 else { return [] }
      let walk = PathReachability(expect.path, in: checked, limit: left)
      left -= walk.states
      guard walk.isWhole else {
        left = 0
        return [.unchecked(expect)]
      }
      return [checked.impossible(expect, walk)].compactMap { $0 }
    }.withoutRepetitions
  }

  /// How many states the walks over all scenarios of a workflow may come to: they are as many as steps times entries.
  private static let mostStates = 2_000_000
}

extension CheckedWorkflow {
  /// Why no run can be as expected; nil where one can.
  fileprivate func impossible(_ expect: ScenarioExpectation, _ walk: PathReachability) -> Diagnostic? {
    let outcome = expect.outcome?.value ?? "success"
    // No step is performed where the application object cannot be made: the settings decide that.
    if let path = expect.path, path.elements.isEmpty, outcome != "success" { return nil }
    let elements = expect.path?.elements ?? []
    if walk.endings.isEmpty {
      let next = walk.next
      let behind = elements[..<min(walk.furthest, elements.count)].last { $0.value != .anything }?.value.text
      guard walk.furthest < elements.count else {
        return Diagnostic(
          .error, rule: WorkflowCheck.scenarioPath.id,
          "no run ends here: \(behind.map { "after \($0) " } ?? "first ")comes \(next.joined(separator: " or "))",
          help: "go on with \(next.first ?? "the next step"), or write ... for any run of entries",
          at: elements.last?.place ?? expect.place)
      }
      let element = elements[walk.furthest]
      let isOpen = walk.furthest > 0 && elements[walk.furthest - 1].value == .anything
      let following = next.isEmpty ? "nothing more" : next.joined(separator: " or ")
      let comes = "\(behind.map { "after \($0) " } ?? "first ")comes \(following)"
      return Diagnostic(
        .error, rule: WorkflowCheck.scenarioPath.id,
        "no run comes to \(element.value.text) "
          + (isOpen ? behind.map { "after \($0)" } ?? "at all" : "here: \(comes)"),
        help: "authflow graph shows where each outcome leads", at: element.place)
    }
    let ends: (PathReachability.Ending) -> Bool = { ending in
      switch outcome {
      case "success": ending == .success
      case "failed": ending != .success
      default: ending == .failure(outcome)
      }
    }
    guard !walk.endings.contains(where: ends) else { return nil }
    let real = walk.endings.map(\.words).sorted()
    let shown = real.prefix(6).joined(separator: ", ") + (real.count > 6 ? ", …" : "")
    let wanted = expect.outcome == nil ? "success is expected where no outcome is said" : "\(outcome) is expected"
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id,
      expect.path == nil
        ? "no run of this workflow ends in \(outcome)" : "a run on this path ends in \(shown), but \(wanted)",
      help: expect.path == nil
        ? "it is handled on the way: expect the step's outcome in a path, or step.outcome"
        : "write outcome: \(real.count == 1 ? real[0] : "failed"), or another path",
      at: expect.outcome?.place ?? elements.last?.place ?? expect.place)
  }
}

extension Diagnostic {
  /// The first scenario that is too much.
  fileprivate static func unchecked(_ expect: ScenarioExpectation) -> Diagnostic {
    Diagnostic(
      .note, rule: WorkflowCheck.scenarioPath.id,
      "too many paths to check: nothing is known of this expectation and of later ones",
      help: "divide the workflow or its scenarios, or use `...` less often",
      at: expect.path?.place ?? expect.place)
  }

  fileprivate static func unknownStep(_ id: String, _ guess: NameGuess, at place: FileSpan) -> Diagnostic {
    if let renamed = guess.renamed(id, at: place) { return renamed }
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id, "there is no step called \"\(id)\"",
      help: guess.nearest(to: id).map { "did you mean \"\($0)\"?" } ?? "the steps are \(guess.list)", at: place)
  }

  fileprivate static func unknownEntry(_ step: Step, _ outcome: String, at place: FileSpan) -> Diagnostic {
    let known = step.outcomes.map(\.name)
    if let current = RenamedKeyword.current(for: outcome, among: known) {
      return RenamedKeyword.diagnostic(outcome, current, at: place)
    }
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id, "\(step.id) never ends in \"\(outcome)\"",
      help: Suggestion.nearest(to: outcome, among: known).map { "did you mean \"\($0)\"?" }
        ?? "it ends in one of \(known.joined(separator: ", "))", at: place)
  }
}

extension [Diagnostic] {
  /// The rows of a matrix share what they do not override: each thing is said once.
  var withoutRepetitions: [Diagnostic] {
    var said: Set<String> = []
    return filter {
      said.insert("\($0.place.span?.start ?? -1) \($0.rule) \($0.message) \($0.place.source.name)").inserted
    }
  }
}

extension FileSpan {
  /// Where a place starts: steps and scenarios can be in two files.
  package struct Start: Hashable, Sendable {
    var file: String
    var offset: Int
  }

  package var identity: Start { Start(file: source.name, offset: span?.start ?? -1) }
}
