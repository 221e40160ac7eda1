import Diagnostics
import Documents

extension WorkflowCheck {
  /// An expected path that contains unknown steps or outcomes, or that no run can take.
  static let scenarioPath = WorkflowCheck(
    "scenario-path", .error, needsEveryStep: true,
    "expected path that no run can take"
  ) { checked in
    let stepsByID = checked.workflow.ownSteps
    let suggestions = NameGuess((checked.workflow.steps + checked.workflow.finally).map(\.id))
    var remainingStates = Self.maxStates
    // Matrix rows can share their scenario's path and outcome. Each shared expectation is checked only once.
    var checkedExpectations: Set<[Int]> = []
    return checked.cases.flatMap { scenario -> [Diagnostic] in
      guard let expect = scenario.body.expect, expect.path != nil || expect.outcome != nil else { return [] }
      let starts = [expect.path?.place, expect.outcome?.place].map { $0?.span?.start ?? -1 }
      guard checkedExpectations.insert(starts).inserted else { return [] }
      let unknown = (expect.path?.elements ?? []).compactMap { element -> Diagnostic? in
        guard case .entry(let id, let outcome) = element.value else { return nil }
        guard let step = stepsByID[id]?.step else {
          return suggestions.unknownStep(id, rule: "scenario-path", at: element.place)
        }
        return step.outcome(selectedBy: outcome) == nil ? .unknownEntry(step, outcome.text, at: element.place) : nil
      }
      guard unknown.isEmpty else { return unknown }
      guard remainingStates > 0 else { return [] }
      let search = PathReachability(expect.path, in: checked, limit: remainingStates)
      remainingStates -= search.states
      guard search.isComplete else {
        remainingStates = 0
        return [.unchecked(expect)]
      }
      return [checked.impossible(expect, search)].compactMap { $0 }
    }.withoutDuplicates
  }

  /// The maximum number of states to explore for all scenarios of a workflow. The number of states for a path is at
  /// most the number of steps times the number of path entries.
  private static let maxStates = 2_000_000
}

extension CheckedWorkflow {
  /// Returns a diagnostic if no run can meet the expectation.
  fileprivate func impossible(_ expect: ScenarioExpectation, _ search: PathReachability) -> Diagnostic? {
    let outcome = expect.outcome?.value ?? .success
    // A failure with an empty path means that creating the application object failed, which depends on the settings.
    if let path = expect.path, path.elements.isEmpty, outcome != .success { return nil }
    if search.terminations.isEmpty { return .impossiblePath(expect, search) }
    let isExpected: (PathReachability.Termination) -> Bool = { termination in
      switch outcome {
      case .success: termination == .success
      case .failed: termination != .success
      default: .outcome(termination.outcomeName) == outcome
      }
    }
    guard !search.terminations.contains(where: isExpected) else { return nil }
    let possible = search.terminations.map(\.outcomeName.rawValue).sorted()
    let list = possible.prefix(6).quotedList + (possible.count > 6 ? ", …" : "")
    let expected = expect.outcome == nil ? "`success` is expected by default" : "`\(outcome)` is expected"
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id,
      expect.path == nil
        ? "no run of this workflow ends with outcome `\(outcome)`"
        : "a run on this path ends with \(list), but \(expected)",
      help: expect.path == nil
        ? "the workflow handles this outcome; expect it in `path` or as `STEP.outcome`"
        : "use `outcome: \(possible.count == 1 ? possible[0] : "failed")`, or change the path",
      at: expect.outcome?.place ?? expect.path?.elements.last?.place ?? expect.place)
  }
}

extension Diagnostic {
  /// Returns a diagnostic for a path that no run can take.
  fileprivate static func impossiblePath(_ expect: ScenarioExpectation, _ search: PathReachability) -> Diagnostic {
    let elements = expect.path?.elements ?? []
    let next = search.next.map { "`\($0)`" }
    let last = elements[..<min(search.furthest, elements.count)].last { $0.value != .anything }?.value.text
    guard search.furthest < elements.count else {
      return Diagnostic(
        .error, rule: WorkflowCheck.scenarioPath.id,
        "path is incomplete: \(last.map { "`\($0)`" } ?? "the start") is followed by \(next.joined(separator: " or "))",
        help: "add \(next.first ?? "the next step"), or `...` for any number of entries",
        at: elements.last?.place ?? expect.place)
    }
    let element = elements[search.furthest]
    let isOpen = search.furthest > 0 && elements[search.furthest - 1].value == .anything
    let position = last.map { "after `\($0)`" } ?? "at the start"
    let expected = next.isEmpty ? "the run ends there" : "expected \(next.joined(separator: " or "))"
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id,
      isOpen
        ? "`\(element.value.text)` cannot occur\(last.map { " after `\($0)`" } ?? "")"
        : "`\(element.value.text)` cannot occur \(position): \(expected)",
      help: "run `authflow graph` to see the target of each outcome", at: element.place)
  }

  /// Returns the note for the first expectation that is not checked because the search reached its limit.
  fileprivate static func unchecked(_ expect: ScenarioExpectation) -> Diagnostic {
    Diagnostic(
      .note, rule: WorkflowCheck.scenarioPath.id,
      "too many paths to check: this expectation and later ones are not verified",
      help: "split the workflow or its scenarios, or use `...` less often",
      at: expect.path?.place ?? expect.place)
  }

  fileprivate static func unknownEntry(_ step: Step, _ outcome: String, at place: FileSpan) -> Diagnostic {
    let known = step.outcomes.map(\.name.rawValue)
    if let current = RenamedKeyword.current(for: outcome, among: known) {
      return RenamedKeyword.diagnostic(outcome, current, at: place)
    }
    return Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id, "step `\(step.id)` cannot have outcome `\(outcome)`",
      help: Suggestion.help(for: outcome, among: known), at: place)
  }
}

extension [Diagnostic] {
  /// The diagnostics without duplicates. Duplicates occur because matrix rows share parts of their scenario.
  var withoutDuplicates: [Diagnostic] {
    var seen: Set<String> = []
    return filter {
      seen.insert("\($0.place.span?.start ?? -1) \($0.rule) \($0.message) \($0.place.source.name)").inserted
    }
  }
}

extension FileSpan {
  /// The file and start offset of a span.
  package struct Start: Hashable, Sendable {
    var file: String
    var offset: Int
  }

  /// A key that identifies the location. Steps and scenarios can be in different files.
  package var identity: Start { Start(file: source.name, offset: span?.start ?? -1) }
}
