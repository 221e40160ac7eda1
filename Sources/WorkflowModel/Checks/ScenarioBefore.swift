import Diagnostics
import OrderedCollections

extension WorkflowCheck {
  /// A `before` that names a step that is not there, or that the expected path does not come to.
  static let scenarioBefore = WorkflowCheck(
    "scenario-before", .error, "what happens before a step happens before one that is there, and that is come to"
  ) { checked in
    let words = ResultFieldCheck(checked.workflow)
    let own = checked.workflow.ownSteps
    return checked.cases.flatMap { scenario in
      scenario.body.before.values.compactMap { before -> Diagnostic? in
        guard words.exists(before.step.id) else {
          return words.stepGuess.renamed(before.step.id, at: before.place)
            ?? Diagnostic(
              .error, rule: "scenario-before", "there is no step called \"\(before.step.id)\"",
              help: words.stepGuess.nearest(to: before.step.id).map { "did you mean \"\($0)\"?" }
                ?? "the steps are \(words.stepGuess.list)", at: before.place)
        }
        guard own[before.step.id] != nil, let runs = scenario.body.expect?.path?.runs else { return nil }
        let performed = (runs[before.step.id] ?? []).filter { outcome in
          outcome != Outcome.skipped.name && outcome != Outcome.exhausted.name
        }
        guard performed.count < before.step.run ?? 1 else { return nil }
        let times =
          performed.isEmpty
          ? "never performs \(before.step.id)"
          : "performs \(before.step.id) only \(performed.count == 1 ? "once" : "\(performed.count) times")"
        return Diagnostic(
          .error, rule: "scenario-before", "this never simulate: the expected path \(times)",
          help: "take it away, or put \(before.words) on the path", at: before.place)
      }
    }.withoutRepetitions
  }
}
