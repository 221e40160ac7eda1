import Diagnostics
import Documents
import IdentityPlatform

extension WorkflowCheck {
  /// An expected outcome that no step can have.
  static let scenarioOutcome = WorkflowCheck(
    "scenario-outcome", .error, needsEveryStep: true, "expected outcome that no step can have"
  ) { checked in
    let stepOutcomes = checked.everyStep.flatMap { $0.outcomes.map(\.name) }
    // MSAL's application object can fail to initialize before the first step.
    let creationErrors: [OutcomeName] = [
      .internal(.redirectSchemeNotRegistered), .internal(.invalidRedirectURI), .invalidParameter,
    ]
    let names = Set(stepOutcomes + creationErrors + [.success, .violated, .exhausted])
    let known = Set(names.map { OutcomeSelector.outcome($0) }).union([.failed])
    let suggestions = NameGuess(known.map(\.text).sorted())
    return checked.cases.compactMap { scenario -> Diagnostic? in
      guard let outcome = scenario.body.expect?.outcome, !known.contains(outcome.value) else { return nil }
      return .unknown(outcome, suggestions)
    }.withoutDuplicates
  }
}

extension Diagnostic {
  fileprivate static func unknown(_ outcome: Positioned<OutcomeSelector>, _ suggestions: NameGuess) -> Diagnostic {
    Diagnostic(
      .error, rule: WorkflowCheck.scenarioOutcome.id, "no step can have outcome `\(outcome.value)`",
      help: suggestions.help(
        for: outcome.value.text, or: "use `success`, `failed`, or the outcome that ends the workflow"),
      at: outcome.place)
  }
}
