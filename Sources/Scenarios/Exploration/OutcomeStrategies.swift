import Documents
import IdentityPlatform
import WorkflowModel

/// The strategies for each outcome of each step type, simplest first. A strategy can fail to force the outcome, so the
/// exploration runs the strategy and uses the actual result.
///
/// A strategy consists of events, user behavior, and app settings, as in any scenario. A strategy does not bypass the
/// client or the emulator.
package enum OutcomeStrategies {
  /// Returns the strategies for an outcome of a step. If the list is empty, `reason` explains why there is no strategy.
  package static func recipes(for step: Step, outcome: OutcomeName) -> [OutcomeStrategy] {
    if !outcome.isPerformed { return [OutcomeStrategy()] }
    return switch step.kind.key {
    case "loadAccount", "listAccounts": accounts(step, outcome)
    case "silent": silent(step, outcome)
    case "interactive": interactive(step, outcome)
    case "deviceCode": deviceCode(step, outcome)
    case "callGraph": call(step, outcome, at: "graph")
    case "callAPI": call(step, outcome, at: apiPath(step))
    case "signout": signout(step, outcome)
    case "deviceInfo": deviceInfo(outcome)
    case "parallel", "use": inside(step, outcome)
    default: plain.contains(outcome) ? [OutcomeStrategy()] : []
    }
  }

  /// Outcomes that an event cannot force: they either occur without an event or never occur.
  private static let plain: Set<OutcomeName> = [.success, .holds, .violated, .skipped, .exhausted]

  // MARK: Steps

  private static func accounts(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    switch outcome {
    // On some paths, the account must be signed in first.
    case .found: [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedIn", step)])]
    case .notFound: [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedOut", step)])]
    case .ambiguousAccount:
      step.looksUp
        ? []
        : [
          OutcomeStrategy(given: [["signedIn": "megan@contoso.com"], ["signedIn": "adele@contoso.com"]]),
          OutcomeStrategy(given: [["signedIn": "megan@contoso.com"], ["signedIn": "admin@contoso.com"]]),
          OutcomeStrategy(before: [subject("signedIn", step, user: "adele@contoso.com")]),
          OutcomeStrategy(before: [subject("signedIn", step), subject("signedIn", step, user: "adele@contoso.com")]),
        ]
    case .unexpected: unreadable
    default: []
    }
  }

  /// Returns an event for the app and scopes of the step, if the step specifies them.
  private static func subject(_ event: String, _ step: Step, user: String? = nil) -> JSON {
    var subject: JSON = [:]
    if let user { subject["user"] = .string(user) }
    if let client = step.clientName { subject["client"] = .string(client) }
    if event == "signedIn", let scopes = step.namedScopes, !scopes.isEmpty {
      subject["scopes"] = .array(scopes.map { .string($0) })
    }
    return subject == [:] ? .string(event) : [event: subject]
  }

  private static func deviceInfo(_ outcome: OutcomeName) -> [OutcomeStrategy] {
    switch outcome {
    case .success: [OutcomeStrategy()]
    // An app that does not validate the authority cannot use a broker.
    case .internal(.brokerNotAvailable): [OutcomeStrategy(settings: ["ValidateAuthority": false])]
    default: []
    }
  }

  private static func silent(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    switch outcome {
    // Another sign-in restores tokens that are missing from the cache.
    case .success: return [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedIn", step)])]
    case .interactionRequired:
      return [
        OutcomeStrategy(), OutcomeStrategy(before: ["sessionsRevoked"] + expiry),
        OutcomeStrategy(before: expiry + ["sessionsRevoked"]),
        OutcomeStrategy(before: ["refreshTokenExpired"]),
        OutcomeStrategy(before: expiry + [OutcomeStrategy.fault("token", ["error": "interaction_required"])]),
      ]
    case .serverDeclinedScopes:
      return [OutcomeStrategy(before: expiry + [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])]
    default:
      // Otherwise, MSAL returns the cached access token without a request.
      return grant(step, outcome, at: ["token", instance, "discovery"]).map { $0.after(expiry) }
    }
  }

  /// A wait that is longer than the lifetime of access tokens but much shorter than the lifetime of refresh tokens.
  private static let expiry: [JSON] = [["wait": "2h"]]

  private static func interactive(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    switch outcome {
    // A user who resets or must change the password needs a new password.
    case .success: [OutcomeStrategy(), OutcomeStrategy(user: ["newPassword": "fake-New-Passw0rd"])]
    case .userCanceled:
      [
        OutcomeStrategy(user: ["cancels": true]), OutcomeStrategy(user: ["forgetsPassword": true]),
        OutcomeStrategy(user: ["consent": "decline"]),
      ]
    case .serverDeclinedScopes:
      [
        OutcomeStrategy(before: [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"]),
        OutcomeStrategy(user: ["consent": ["User.Read"]]),
      ]
    case .msal(.workplaceJoinRequired): forDevice(step, "msauth://wpj?username=megan%40contoso.com")
    // After the first redirect, MSAL opens the page again.
    case .msal(.mdmEnrollmentCompletedNeedsRetry):
      forDevice(step, "msauth://in_app_enrollment_complete?status=success", times: 2)
    case .internal(.invalidState):
      [OutcomeStrategy(before: [["misbehaves": "wrong-state"]], undo: ["stopsMisbehaving"])]
    case .timedOut:
      [OutcomeStrategy(user: ["delay": .string(late(step))])] + grant(step, outcome, at: ["authorize", "token"])
    default: grant(step, outcome, at: ["authorize", "token"])
    }
  }

  /// Returns a strategy that redirects the sign-in page to a device-management URL, which only an embedded web view
  /// passes to MSAL.
  private static func forDevice(_ step: Step, _ address: String, times: Int64 = 1) -> [OutcomeStrategy] {
    let answer: JSON = ["body": "", "headers": ["Location": .string(address)], "status": 302]
    let isEmbedded = step.webview?.literal == .wkWebView
    return [
      OutcomeStrategy(
        before: [OutcomeStrategy.fault("authorize", answer, times)],
        settings: isEmbedded ? nil : ["WebviewType": "wkWebView"])
    ]
  }

  private static func deviceCode(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    let places = ["token", "devicecode", "discovery", instance]
    return switch outcome {
    case .success: [OutcomeStrategy()]
    case .authorizationDeclined:
      [
        OutcomeStrategy(user: ["consent": "decline"]), OutcomeStrategy(user: ["cancels": true]),
        OutcomeStrategy(before: [oauth("authorization_declined")]),
      ]
    case .expiredToken: [OutcomeStrategy(user: ["delay": "20m"]), OutcomeStrategy(before: [oauth("expired_token")])]
    case .serverDeclinedScopes: [OutcomeStrategy(before: [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])]
    case .timedOut: [OutcomeStrategy(user: ["delay": "10m"])] + grant(step, outcome, at: places)
    default: grant(step, outcome, at: places)
    }
  }

  /// Returns strategies for a sign-out. Before it opens the page, a sign-out sends requests only for authority
  /// discovery, and only if no earlier step discovered the authority.
  private static func signout(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    switch outcome {
    case .success: [OutcomeStrategy()]
    case .notFound: [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedOut", step)])]
    case .unexpected: unreadable
    case .internal(.invalidState):
      [OutcomeStrategy(before: [["misbehaves": "wrong-logout-state"]], undo: ["stopsMisbehaving"])]
    default: grant(step, outcome, at: ["logout", "discovery", instance])
    }
  }

  private static func call(_ step: Step, _ outcome: OutcomeName, at place: String) -> [OutcomeStrategy] {
    // By default, a call is retried three times. The fault must also affect all attempts of the step's `retry`.
    let times: Int64 = step.retry?.isOff == true ? 1 : 4 * Int64(step.retry?.attempts ?? 1)
    func answer(_ answer: JSON, _ times: Int64 = 1) -> [OutcomeStrategy] {
      [OutcomeStrategy(before: [OutcomeStrategy.fault(place, answer, times)])]
    }
    return switch outcome {
    case .success: [OutcomeStrategy()]
    case .claimsChallenge:
      answer(["claims": ["access_token": ["acrs": ["essential": true, "value": "c1"]]], "status": 401])
    case .unauthorized: answer(["status": 401])
    case .forbidden: answer(["status": 403])
    case .notFound: answer(["status": 404])
    case .throttled: answer(["retryAfter": "2s", "status": 429], times)
    case .serviceUnavailable: answer(["status": 503], times)
    case .otherStatus: answer(["status": 409])
    case .offline: offline
    case .timedOut: late(step, at: [place])
    default: []
    }
  }

  /// Returns strategies for members or inner steps that can have the outcome.
  private static func inside(_ step: Step, _ outcome: OutcomeName) -> [OutcomeStrategy] {
    if outcome == .success { return [OutcomeStrategy()] }
    // Two concurrent pages always conflict.
    if outcome == .internal(.interactiveSessionAlreadyRunning), step.opensPages {
      return [OutcomeStrategy(), OutcomeStrategy(user: ["delay": "1m"])]
    }
    let steps = step.innerSteps
    var found: [OutcomeStrategy] = []
    for inner in steps where inner.outcome(named: outcome) != nil {
      for recipe in recipes(for: inner, outcome: outcome) {
        // An inner fallback runs only if the preceding silent step fails.
        found.append(inner.isFallback ? recipe.after(["sessionsRevoked"] + expiry) : recipe)
      }
    }
    return Array(found.prefix(12)).map { $0.repeated(steps.count) }
  }

  /// Returns the path of the API's URL in the format that faults use.
  private static func apiPath(_ step: Step) -> String {
    guard case .callAPI(let call) = step.action, let url = call.url?.literal,
      let range = url.firstRange(of: "://"), let slash = url[range.upperBound...].firstIndex(of: "/")
    else { return "/*" }
    return String(url[slash...].prefix { $0 != "?" && $0 != "#" })
  }
}

extension Step {
  /// Whether the step looks up an account by name or identifier, or takes the first account, so that MSAL does not
  /// report an ambiguous account.
  var looksUp: Bool {
    guard case .loadAccount(let account) = action else { return false }
    return account.identifier != nil || account.username != nil || account.tenantProfileIdentifier != nil
      || account.first == true
  }

  /// The scopes that the step specifies.
  var namedScopes: [String]? { action.token?.scopes?.literal }

  /// Whether the step requests `.default` scopes.
  var asksForDefault: Bool { namedScopes?.contains { $0.hasSuffix("/.default") } ?? false }

  /// The members of a `parallel` step, or the steps of the workflow that a `use` step runs.
  var innerSteps: [Step] {
    switch action {
    case .parallel(let members): members
    case .use(let use): use.workflow.map { $0.steps + $0.finally } ?? []
    default: []
    }
  }

  /// Whether more than one member opens a page.
  var opensPages: Bool {
    guard case .parallel(let members) = action else { return false }
    return members.count(where: \.opensPage) > 1
  }

  private var opensPage: Bool {
    switch action {
    case .interactive: true
    case .signout(let signout): signout.signoutFromBrowser != nil
    default: false
    }
  }

  /// The web view that the step specifies for its page, or nil.
  var webview: Resolvable<WebviewType>? {
    switch action {
    case .interactive(let interactive): interactive.webview
    case .signout(let signout): signout.webview
    default: nil
    }
  }
}
