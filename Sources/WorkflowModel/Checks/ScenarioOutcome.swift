import Diagnostics
import Documents

extension WorkflowCheck {
  /// An expected outcome that no step can have.
  static let scenarioOutcome = WorkflowCheck(
    "scenario-outcome", .error, "expected outcome that no step can have"
  ) { checked in
    let own = checked.everyStep.flatMap { $0.outcomes.map(\.name) }
    // Creating MSAL's application object can fail before any step.
    let creationErrors = ["redirectSchemeNotRegistered", "invalidRedirectURI", "invalidParameter"]
    let known = Set(own).union(creationErrors).union(["success", "failed", "violated", "exhausted"])
    let guess = NameGuess(known.sorted())
    return checked.cases.compactMap { scenario -> Diagnostic? in
      guard let outcome = scenario.body.expect?.outcome, !known.contains(outcome.value) else { return nil }
      return .unknown(outcome, guess)
    }.withoutDuplicates
  }
}

extension Diagnostic {
  fileprivate static func unknown(_ outcome: Positioned<String>, _ guess: NameGuess) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioOutcome.id, "no step can have outcome `\(outcome.value)`",
      help: guess.nearest(to: outcome.value).map { "did you mean `\($0)`?" }
        ?? "use `success`, `failed`, or the outcome that ends the workflow", at: outcome.place)
  }
}
