import Documents
import WorkflowModel

extension OutcomeStrategies {
  /// Why the table has no recipe, or what most likely stands in the way of those it has.
  package static func reason(for step: Step, outcome: String) -> String {
    switch (step.kind.key, outcome) {
    case (_, "invalidParameter"): "a parameter that does not fit is written in the workflow itself, not in the world"
    case (_, "timedOut") where step.timeout == nil && step.innerSteps.isEmpty: "the step has no timeout"
    case ("assert", _): "what it asserts follows from the way, and no event is known to change it"
    case (_, "skipped"): "its `when` held on every way that was tried"
    case (_, "exhausted"): "no way that was tried comes to it more often than its maxRuns allows"
    case (_, "interactiveSessionAlreadyRunning"):
      "only steps at the same time meet this, as in parallel: [interactive, interactive]: steps in a row open one page after the other"
    case (_, "noViewController"):
      "only an app on a device meets this: its window goes away while the page opens. The played browser always has one; run --browser none has none"
    case ("interactive", "mdmEnrollmentCompletedNeedsRetry"), ("interactive", "workplaceJoinRequired"):
      "only a web view of the app's own hands MSAL an address that is for the device, and the step shows its page elsewhere: write webview: wkWebView"
    case ("deviceInfo", _): "its settings decide it"
    case (_, "ambiguousAccount") where step.looksUp:
      "only the current account can be ambiguous: of those that fit a name or an identifier MSAL takes the first"
    case (_, "ambiguousAccount"):
      "it takes two accounts in the cache: a scenario with signedIn for two people of its tenant has them"
    case ("listAccounts", "notFound"):
      "earlier steps have signed somebody in: a scenario with signedOut for each of them has nobody left"
    case (_, "serverDeclinedScopes") where step.asksForDefault:
      "with .default nothing is asked for by name that could be declined"
    case (_, "failedAuthorityValidation"):
      "MSAL sends one discovery request per process, and uses a known authority whatever the service says about it"
    case ("parallel", "success") where step.opensPages: "one page can be open at a time: the other member is refused"
    case ("parallel", _), ("use", _): inner(step, outcome)
    case (_, "nonHttpsRedirect"): "only the discovery document of a provider of one's own is checked for it"
    case ("silent", _) where errors[outcome] != nil:
      "MSAL tells nearly every refusal of a refresh token as interactionRequired, and an earlier step has asked who the platform is"
    case ("signout", _) where errors[outcome] != nil:
      "signing out asks for nothing but who the platform is, and that an earlier step has asked: MSAL asks once per process"
    default: nothing
    }
  }

  /// What is said where nothing better is known.
  static let nothing = "nothing that was tried leads here"

  /// Where the workflow lets things happen by itself on the way, those come first.
  static let happensFirst =
    "what the workflow itself lets happen on the way comes first, and nothing that was tried undoes it"

  /// Who is refused is not granted less.
  static let nothingGranted =
    "only a grant of fewer scopes than were asked for ends so, and on every way that was tried nothing was granted"

  private static func inner(_ step: Step, _ outcome: String) -> String {
    guard let inner = step.innerSteps.first(where: { $0.outcome(named: outcome) != nil }) else { return nothing }
    let reason = reason(for: inner, outcome: outcome)
    return reason == nothing ? reason : "\(inner.id): \(reason)"
  }
}
