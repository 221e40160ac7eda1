import Diagnostics

extension WorkflowCheck {
  /// Words and steps in a scenario's `expect` that mean nothing.
  static let scenarioWord = WorkflowCheck(
    "scenario-word", .error, "a scenario's expectations speak of steps and words that exist"
  ) { checked in
    let words = WordCheck(checked)
    return checked.workflow.scenarios.flatMap(\.cases).flatMap { scenario in
      (scenario.body.expect?.facts ?? []).compactMap { fact -> Diagnostic? in
        guard var diagnostic = words.check(fact.address, fact.matcher) else { return nil }
        diagnostic.rule = "scenario-word"
        return diagnostic
      }
    }.withoutRepetitions
  }
}
