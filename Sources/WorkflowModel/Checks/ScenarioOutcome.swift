import Diagnostics
import Documents

extension WorkflowCheck {
  /// An expected outcome that no step ends in.
  static let scenarioOutcome = WorkflowCheck(
    "scenario-outcome", .error, "a scenario expects success, failed, or an outcome that some step has"
  ) { checked in
    let own = checked.everyStep.flatMap { $0.outcomes.map(\.name) }
    // What the application object itself can be refused for, before any step.
    let refusals = ["redirectSchemeNotRegistered", "invalidRedirectURI", "invalidParameter"]
    let known = Set(own).union(refusals).union(["success", "failed", "violated", "exhausted"])
    let guess = NameGuess(known.sorted())
    return checked.cases.compactMap { scenario -> Diagnostic? in
      guard let outcome = scenario.body.expect?.outcome, !known.contains(outcome.value) else { return nil }
      return .unknown(outcome, guess)
    }.withoutRepetitions
  }
}

extension Diagnostic {
  fileprivate static func unknown(_ outcome: Positioned<String>, _ guess: NameGuess) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioOutcome.id, "no step of this workflow ends in \"\(outcome.value)\"",
      help: guess.nearest(to: outcome.value).map { "did you mean \"\($0)\"?" }
        ?? "write success, failed, or the outcome that ends it", at: outcome.place)
  }
}
