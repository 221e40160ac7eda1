import Documents
import WorkflowModel

/// How each outcome of each kind of step is forced: recipes to try in order, the plainest first. A recipe is a claim;
/// exploring runs it, and only what then came counts.
///
/// Nothing here goes around the client or the platform: a recipe is made of events, of a user's behavior and of an
/// app's settings, as anybody may write them in a scenario.
package enum OutcomeStrategies {
  /// The recipes for an outcome of a step; none where `reason` says why.
  package static func recipes(for step: Step, outcome: String) -> [OutcomeStrategy] {
    if outcome == "skipped" || outcome == "exhausted" { return [OutcomeStrategy()] }
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

  /// Outcomes that come by themselves, or never.
  private static let plain: Set<String> = ["success", "holds", "violated", "skipped", "exhausted"]

  // MARK: Steps

  private static func accounts(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    switch outcome {
    // In the middle of a way somebody may have to come or to go first.
    case "found": [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedIn", step)])]
    case "notFound": [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedOut", step)])]
    case "ambiguousAccount":
      step.looksUp
        ? []
        : [
          OutcomeStrategy(given: [["signedIn": "megan@contoso.com"], ["signedIn": "adele@contoso.com"]]),
          OutcomeStrategy(given: [["signedIn": "megan@contoso.com"], ["signedIn": "admin@contoso.com"]]),
          OutcomeStrategy(before: [subject("signedIn", step, user: "adele@contoso.com")]),
          OutcomeStrategy(before: [subject("signedIn", step), subject("signedIn", step, user: "adele@contoso.com")]),
        ]
    case "unexpected": unreadable
    default: []
    }
  }

  /// An event for the app of a step and for what it asks for, as far as it says so itself.
  private static func subject(_ event: String, _ step: Step, user: String? = nil) -> JSON {
    var subject: JSON = [:]
    if let user { subject["user"] = .string(user) }
    if let client = step.clientName { subject["client"] = .string(client) }
    if event == "signedIn", let scopes = step.namedScopes, !scopes.isEmpty {
      subject["scopes"] = .array(scopes.map { .string($0) })
    }
    return subject == [:] ? .string(event) : [event: subject]
  }

  private static func deviceInfo(_ outcome: String) -> [OutcomeStrategy] {
    switch outcome {
    case "success": [OutcomeStrategy()]
    // Whoever vouches for the authority by itself is served by no broker.
    case "brokerNotAvailable": [OutcomeStrategy(settings: ["ValidateAuthority": false])]
    default: []
    }
  }

  private static func silent(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    switch outcome {
    // What the cache lacks by then another sign-in brings.
    case "success": return [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedIn", step)])]
    case "interactionRequired":
      return [
        OutcomeStrategy(), OutcomeStrategy(before: ["sessionsRevoked"] + expiry),
        OutcomeStrategy(before: expiry + ["sessionsRevoked"]),
        OutcomeStrategy(before: ["refreshTokenExpired"]),
        OutcomeStrategy(before: expiry + [OutcomeStrategy.fault("token", ["error": "interaction_required"])]),
      ]
    case "serverDeclinedScopes":
      return [OutcomeStrategy(before: expiry + [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])]
    default:
      // The cached access token would answer before anybody is asked.
      return grant(step, outcome, at: ["token", instance, "discovery"]).map { $0.after(expiry) }
    }
  }

  /// Longer than access tokens last, and far from the end of refresh tokens.
  private static let expiry: [JSON] = [["wait": "2h"]]

  private static func interactive(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    switch outcome {
    // Whoever has forgotten a password, or must change it, has a new one.
    case "success": [OutcomeStrategy(), OutcomeStrategy(user: ["newPassword": "fake-New-Passw0rd"])]
    case "userCanceled":
      [
        OutcomeStrategy(user: ["cancels": true]), OutcomeStrategy(user: ["forgetsPassword": true]),
        OutcomeStrategy(user: ["consent": "decline"]),
      ]
    case "serverDeclinedScopes":
      [
        OutcomeStrategy(before: [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"]),
        OutcomeStrategy(user: ["consent": ["User.Read"]]),
      ]
    case "workplaceJoinRequired": forDevice(step, "msauth://wpj?username=megan%40contoso.com")
    // After the first, MSAL opens the page again.
    case "mdmEnrollmentCompletedNeedsRetry":
      forDevice(step, "msauth://in_app_enrollment_complete?status=success", times: 2)
    case "invalidState": [OutcomeStrategy(before: [["misbehaves": "wrong-state"]], undo: ["stopsMisbehaving"])]
    case "timedOut":
      [OutcomeStrategy(user: ["delay": .string(late(step))])] + grant(step, outcome, at: ["authorize", "token"])
    default: grant(step, outcome, at: ["authorize", "token"])
    }
  }

  /// The sign-in page leads to an address that is for the device, which only a web view of the app's own hands to MSAL.
  private static func forDevice(_ step: Step, _ address: String, times: Int64 = 1) -> [OutcomeStrategy] {
    let answer: JSON = ["body": "", "headers": ["Location": .string(address)], "status": 302]
    let isEmbedded = step.webview?.literal == .wkWebView
    return [
      OutcomeStrategy(
        before: [OutcomeStrategy.fault("authorize", answer, times)],
        settings: isEmbedded ? nil : ["WebviewType": "wkWebView"])
    ]
  }

  private static func deviceCode(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    let places = ["token", "devicecode", "discovery", instance]
    return switch outcome {
    case "success": [OutcomeStrategy()]
    case "authorizationDeclined":
      [
        OutcomeStrategy(user: ["consent": "decline"]), OutcomeStrategy(user: ["cancels": true]),
        OutcomeStrategy(before: [oauth("authorization_declined")]),
      ]
    case "expiredToken": [OutcomeStrategy(user: ["delay": "20m"]), OutcomeStrategy(before: [oauth("expired_token")])]
    case "serverDeclinedScopes": [OutcomeStrategy(before: [["misbehaves": "fewer-scopes"]], undo: ["stopsMisbehaving"])]
    case "timedOut": [OutcomeStrategy(user: ["delay": "10m"])] + grant(step, outcome, at: places)
    default: grant(step, outcome, at: places)
    }
  }

  /// What a sign-out asks for, it asks before its page: who the platform is, where nobody has asked in this process yet.
  private static func signout(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    switch outcome {
    case "success": [OutcomeStrategy()]
    case "notFound": [OutcomeStrategy(), OutcomeStrategy(before: [subject("signedOut", step)])]
    case "unexpected": unreadable
    case "invalidState": [OutcomeStrategy(before: [["misbehaves": "wrong-logout-state"]], undo: ["stopsMisbehaving"])]
    default: grant(step, outcome, at: ["logout", "discovery", instance])
    }
  }

  private static func call(_ step: Step, _ outcome: String, at place: String) -> [OutcomeStrategy] {
    // A call tries these again by itself, three times, and so does the step's own `retry`.
    let times: Int64 = step.retry?.isOff == true ? 1 : 4 * Int64(step.retry?.attempts ?? 1)
    func answer(_ answer: JSON, _ times: Int64 = 1) -> [OutcomeStrategy] {
      [OutcomeStrategy(before: [OutcomeStrategy.fault(place, answer, times)])]
    }
    return switch outcome {
    case "success": [OutcomeStrategy()]
    case "claimsChallenge":
      answer(["claims": ["access_token": ["acrs": ["essential": true, "value": "c1"]]], "status": 401])
    case "unauthorized": answer(["status": 401])
    case "forbidden": answer(["status": 403])
    case "notFound": answer(["status": 404])
    case "throttled": answer(["retryAfter": "2s", "status": 429], times)
    case "serviceUnavailable": answer(["status": 503], times)
    case "otherStatus": answer(["status": 409])
    case "offline": offline
    case "timedOut": late(step, at: [place])
    default: []
    }
  }

  /// The first member, or the first step inside, that can end so.
  private static func inside(_ step: Step, _ outcome: String) -> [OutcomeStrategy] {
    if outcome == "success" { return [OutcomeStrategy()] }
    // Two pages at the same time are one too many, whatever else happens.
    if outcome == "interactiveSessionAlreadyRunning", step.opensPages {
      return [OutcomeStrategy(), OutcomeStrategy(user: ["delay": "1m"])]
    }
    let steps = step.innerSteps
    var found: [OutcomeStrategy] = []
    for inner in steps where inner.outcome(named: outcome) != nil {
      for recipe in recipes(for: inner, outcome: outcome) {
        // A fallback inside has its turn only where the silent step before it fails.
        found.append(inner.isFallback ? recipe.after(["sessionsRevoked"] + expiry) : recipe)
      }
    }
    return Array(found.prefix(12)).map { $0.repeated(steps.count) }
  }

  /// The path of an API's address, as faults name it.
  private static func apiPath(_ step: Step) -> String {
    guard case .callAPI(let call) = step.action, let url = call.url?.literal,
      let range = url.firstRange(of: "://"), let slash = url[range.upperBound...].firstIndex(of: "/")
    else { return "/*" }
    return String(url[slash...].prefix { $0 != "?" && $0 != "#" })
  }
}

extension Step {
  /// Whether it looks for an account by a name or an identifier, of which MSAL takes the first that fits.
  var looksUp: Bool {
    guard case .loadAccount(let account) = action else { return false }
    return account.identifier != nil || account.username != nil || account.tenantProfileIdentifier != nil
      || account.first == true
  }

  /// The scopes that it writes out itself.
  var namedScopes: [String]? { action.token?.scopes?.literal }

  /// Whether it asks for what is consented to already, and for nothing by name.
  var asksForDefault: Bool { namedScopes?.contains { $0.hasSuffix("/.default") } ?? false }

  /// The members of a `parallel`, or the steps of the workflow that a `use` names.
  var innerSteps: [Step] {
    switch action {
    case .parallel(let members): members
    case .use(let use): use.workflow.map { $0.steps + $0.finally } ?? []
    default: []
    }
  }

  /// Whether more than one of its members opens a page of the app's.
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

  /// What its page is shown in, where it says so itself.
  var webview: Resolvable<WebviewType>? {
    switch action {
    case .interactive(let interactive): interactive.webview
    case .signout(let signout): signout.webview
    default: nil
    }
  }
}
