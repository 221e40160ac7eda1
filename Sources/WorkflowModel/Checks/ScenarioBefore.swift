import Diagnostics
import OrderedCollections

extension WorkflowCheck {
  /// A `before` for a step that does not exist, or that the expected path does not reach.
  static let scenarioBefore = WorkflowCheck(
    "scenario-before", .error, "`before` for a step that does not exist or is not reached"
  ) { checked in
    let check = ResultFieldCheck(checked.workflow)
    let own = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario in
      scenario.body.before.values.compactMap { before -> Diagnostic? in
        guard check.exists(before.step.id) else {
          return check.stepGuess.renamed(before.step.id, at: before.place)
            ?? Diagnostic(
              .error, rule: "scenario-before", "unknown step `\(before.step.id)`",
              help: check.stepGuess.nearest(to: before.step.id).map { "did you mean `\($0)`?" }
                ?? "use one of \(check.stepGuess.list)", at: before.place)
        }
        guard own[before.step.id] != nil, let runs = scenario.body.expect?.path?.runs else { return nil }
        let performed = (runs[before.step.id] ?? []).filter { outcome in
          outcome != Outcome.skipped.name && outcome != Outcome.exhausted.name
        }
        guard performed.count < before.step.run ?? 1 else { return nil }
        let path =
          performed.isEmpty
          ? "does not execute step `\(before.step.id)`"
          : "executes step `\(before.step.id)` only \(performed.count == 1 ? "once" : "\(performed.count) times")"
        return Diagnostic(
          .error, rule: "scenario-before", "event never occurs: the expected path \(path)",
          help: "remove the event, or add `\(before.text)` to the path", at: before.place)
      }
    }.withoutDuplicates
  }
}
