import Diagnostics
import OrderedCollections

extension WorkflowCheck {
  /// A `before` entry for a step that does not exist, or for a run of a step that the expected path does not contain.
  static let scenarioBefore = WorkflowCheck(
    "scenario-before", .error, "`before` events for a step that does not exist or is not reached"
  ) { checked in
    let check = ResultFieldCheck(checked.workflow)
    let stepsByID = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario in
      scenario.body.before.values.compactMap { before -> Diagnostic? in
        guard check.exists(before.step.id) else {
          return check.stepSuggestions.unknownStep(before.step.id, rule: "scenario-before", at: before.place)
        }
        guard stepsByID[before.step.id] != nil, let runs = scenario.body.expect?.path?.runs else { return nil }
        let count = (runs[before.step.id] ?? []).count(where: \.isPerformed)
        guard count < before.step.run ?? 1 else { return nil }
        let path =
          count == 0
          ? "does not contain step `\(before.step.id)`"
          : "contains step `\(before.step.id)` only \(count == 1 ? "once" : "\(count) times")"
        return Diagnostic(
          .error, rule: "scenario-before", "event never occurs: the expected path \(path)",
          help: "remove the event, or add `\(before.text)` to the path", at: before.place)
      }
    }.withoutDuplicates
  }
}
