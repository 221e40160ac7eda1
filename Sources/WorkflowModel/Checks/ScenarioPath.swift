import DeclaredFields
import Diagnostics

extension WorkflowCheck {
  /// A path that names steps or outcomes that do not exist.
  static let scenarioPath = WorkflowCheck(
    "scenario-path", .error, "the entries of an expected path are steps with outcomes that they have"
  ) { checked in
    let steps = checked.workflow.steps + checked.workflow.finally
    return checked.workflow.scenarios.flatMap(\.cases).flatMap { scenario -> [Diagnostic] in
      (scenario.body.expect?.path?.elements ?? []).compactMap { element in
        guard case .entry(let id, let outcome) = element.value else { return nil }
        guard let step = steps.first(where: { $0.id == id }) else {
          if checked.workflow.lostSteps.contains(id) { return nil }
          return .unknownStep(id, among: steps.map(\.id), at: element.place)
        }
        guard step.outcome(named: outcome) != nil else {
          return .unknownEntry(step, outcome, at: element.place)
        }
        return nil
      }
    }.withoutRepetitions
  }
}

extension Diagnostic {
  fileprivate static func unknownStep(_ id: String, among known: [String], at place: Place) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioPath.id, "there is no step called \"\(id)\"",
      help: Suggestion.nearest(to: id, among: known).map { "did you mean \"\($0)\"?" }
        ?? "the steps are \(known.joined(separator: ", "))",
      at: place)
  }

  fileprivate static func unknownEntry(_ step: Step, _ outcome: String, at place: Place) -> Diagnostic {
    let known = step.outcomes.map(\.name)
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
    return filter { said.insert("\($0.place.span?.start ?? -1) \($0.rule) \($0.message)").inserted }
  }
}
