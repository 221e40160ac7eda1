import Diagnostics
import OrderedCollections

extension WorkflowCheck {
  /// A `before` that names a step that is not there.
  static let scenarioBefore = WorkflowCheck(
    "scenario-before", .error, "what happens before a step happens before one that is there"
  ) { checked in
    let words = WordCheck(checked)
    return checked.workflow.scenarios.flatMap(\.cases).flatMap { scenario in
      scenario.body.before.values.compactMap { before -> Diagnostic? in
        guard !words.exists(before.step.id) else { return nil }
        let known = words.ids.sorted()
        return Diagnostic(
          .error, rule: "scenario-before", "there is no step called \"\(before.step.id)\"",
          help: Suggestion.nearest(to: before.step.id, among: known).map { "did you mean \"\($0)\"?" }
            ?? "the steps are \(known.joined(separator: ", "))", at: before.place)
      }
    }.withoutRepetitions
  }
}
