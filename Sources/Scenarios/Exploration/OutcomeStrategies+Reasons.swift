import Documents
import IdentityPlatform
import WorkflowModel

extension OutcomeStrategies {
  /// Returns the reason why an outcome has no strategies or why its strategies are likely to fail.
  package static func reason(for step: Step, outcome: OutcomeName) -> String {
    switch (step.kind.key, outcome) {
    case (_, .invalidParameter): "only the workflow itself can pass an invalid parameter"
    case (_, .timedOut) where step.timeout == nil && step.innerSteps.isEmpty: "the step has no timeout"
    case ("assert", _): "the assertion depends on the path, and no event is known to change it"
    case (_, .skipped): "`when` was true on every tried path"
    case (_, .exhausted): "no tried path runs the step more often than `maxRuns` allows"
    case (_, .internal(.interactiveSessionAlreadyRunning)):
      "only parallel steps can have this outcome, as in `parallel: [interactive, interactive]`"
    case (_, .internal(.noViewController)):
      "this outcome occurs only if the app's window closes while the page opens. The simulated browser always has a window, and `run --browser none` never has one"
    case ("interactive", .msal(.mdmEnrollmentCompletedNeedsRetry)), ("interactive", .msal(.workplaceJoinRequired)):
      "only an embedded web view passes the required redirect to MSAL: set `webview: wkWebView`"
    case ("deviceInfo", _): "the settings determine whether this outcome occurs"
    case (_, .ambiguousAccount) where step.looksUp:
      "only the current account can be ambiguous: MSAL uses the first account that matches a name or an identifier"
    case (_, .ambiguousAccount):
      "this outcome requires two cached accounts: use `signedIn` for two users in the tenant"
    case ("listAccounts", .notFound):
      "earlier steps sign in users: use `signedOut` for each of these users"
    case (_, .serverDeclinedScopes) where step.asksForDefault:
      "a request for `.default` has no scopes that the user could decline"
    case (_, .internal(.failedAuthorityValidation)):
      "MSAL sends one discovery request per process, and uses a known authority regardless of the response"
    case ("parallel", .success) where step.opensPages: "only one page can be open at a time, so the other member fails"
    case ("parallel", _), ("use", _): inner(step, outcome)
    case (_, .internal(.nonHttpsRedirect)): "MSAL rejects non-HTTPS redirects only for custom providers"
    case ("silent", _) where errors[outcome] != nil:
      "MSAL maps nearly every refresh token error to `interactionRequired`, and an earlier step has already discovered the authority"
    case ("signout", _) where errors[outcome] != nil:
      "sign-out sends only discovery requests, and an earlier step in the process has already discovered the authority"
    default: nothing
    }
  }

  /// The default reason.
  static let nothing = "no tried scenario reaches this outcome"

  /// The reason if the workflow's own events determine the outcome.
  static let determinedByOwnEvents =
    "the workflow's own events on the path determine the outcome, and no tried event undoes them"

  /// The reason if no tried path grants any scopes, so that a partial grant is not possible.
  static let nothingGranted =
    "this outcome requires a partial grant of the requested scopes, and no tried path grants any scopes"

  private static func inner(_ step: Step, _ outcome: OutcomeName) -> String {
    guard let inner = step.innerSteps.first(where: { $0.outcome(named: outcome) != nil }) else { return nothing }
    let reason = reason(for: inner, outcome: outcome)
    return reason == nothing ? reason : "\(inner.id): \(reason)"
  }
}
