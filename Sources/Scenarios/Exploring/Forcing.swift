import Documents
import WorkflowModel

/// One way to make a step end in a certain outcome on the emulated platform.
package struct Recipe: Sendable {
  /// What is given before the first step, besides who is signed in.
  var given: [JSON] = []
  /// What happens right before the step.
  var before: [JSON] = []
  /// How the person behaves who sits there during the step.
  var user: JSON?
  /// What happens before the next step, so that it is not hit too.
  var undo: [JSON] = []
}

extension Recipe {
  /// The same for several calls at the same time, which share what a fault strikes.
  fileprivate func repeated(_ count: Int) -> Recipe {
    var recipe = self
    recipe.before = before.map { happening in
      guard let times = happening["fault"]?["times"]?.integer, var fault = happening["fault"] else { return happening }
      fault["times"] = .integer(times * Int64(count))
      return ["fault": fault]
    }
    return recipe
  }
}

/// How each outcome of each kind of step is forced: recipes to try in order, the plainest first. A recipe is a claim;
/// exploring runs it, and only what then came counts.
///
/// Nothing here goes around the client or the platform: a recipe is made of happenings and of a person's behaviour, as
/// anybody may write them in a scenario.
package enum Forcing {
  /// The recipes for an outcome of a step; none where `reason` says why.
  package static func recipes(for step: Step, outcome: String) -> [Recipe] {
    if outcome == "skipped" || outcome == "exhausted" { return [Recipe()] }
    return switch step.kind.key {
    case "loadAccount", "listAccounts": accounts(outcome)
    case "silent": silent(step, outcome)
    case "interactive": interactive(step, outcome)
    case "deviceCode": deviceCode(step, outcome)
    case "callGraph": call(step, outcome, at: "graph")
    case "callAPI": call(step, outcome, at: apiPath(step))
    case "signout": signout(step, outcome)
    case "together", "use": inside(step, outcome)
    default: plain.contains(outcome) ? [Recipe()] : []
    }
  }

  /// Outcomes that come by themselves, or never.
  private static let plain: Set<String> = ["success", "holds", "broken", "skipped", "exhausted"]

  /// Why the table has no recipe, or what most likely stands in the way of those it has.
  package static func reason(for step: Step, outcome: String) -> String {
    switch (step.kind.key, outcome) {
    case (_, "invalidParameter"): "a parameter that does not fit is written in the workflow itself, not in the world"
    case (_, "timedOut") where step.timeout == nil: "the step has no timeout"
    case ("assert", _): "what it asserts follows from the way, and no happening is known to change it"
    case (_, "skipped"): "its `when` held on every way that was tried"
    case ("deviceInfo", "brokerNotAvailable"): "it depends on the settings alone: name others in a scenario"
    case ("interactive", "interactiveSessionAlreadyRunning"):
      "it takes two sign-in pages at the same time: together: [interactive, interactive]"
    case (_, "noViewController"): "the played browser always has a window: parentViewController: false takes it away"
    case ("signout", "success"), ("signout", "notFound"), (_, "success"), (_, "found"), (_, "holds"):
      "nothing that was tried leads here"
    case (_, "nonHttpsRedirect"):
      "only the discovery document of a provider of one's own is checked for it"
    case ("silent", _) where errors[outcome] != nil:
      "MSAL tells nearly every refusal of a refresh token as interactionRequired"
    case ("interactive", "mdmEnrollmentCompletedNeedsRetry"), ("interactive", "workplaceJoinRequired"):
      "the page would have to lead to an address that only a managed device's browser hands over"
    case ("signout", _): "signing out asks the server for nothing but to show its page"
    default: "nothing that was tried leads here"
    }
  }

  // MARK: Steps

  private static func accounts(_ outcome: String) -> [Recipe] {
    switch outcome {
    case "found", "notFound": [Recipe()]
    case "ambiguousAccount":
      [
        Recipe(given: [["signedIn": "megan@contoso.com"], ["signedIn": "adele@contoso.com"]]),
        Recipe(given: [["signedIn": "megan@contoso.com"], ["signedIn": "admin@contoso.com"]]),
      ]
    case "unexpected": unreadable
    default: []
    }
  }

  private static func silent(_ step: Step, _ outcome: String) -> [Recipe] {
    switch outcome {
    case "success": return [Recipe()]
    case "interactionRequired":
      return [
        Recipe(), Recipe(before: ["sessionsRevoked"] + expiry), Recipe(before: expiry + ["sessionsRevoked"]),
        Recipe(before: ["refreshTokenExpired"]),
        Recipe(before: expiry + [fault("token", ["error": "interaction_required"])]),
      ]
    case "serverDeclinedScopes":
      return [Recipe(before: expiry + [["misbehaves": "fewer-scopes"]], undo: ["behaves"])]
    default:
      // The cached access token would answer before anybody is asked.
      return grant(step, outcome, at: ["token", "/common/discovery/instance"]).map { recipe in
        var recipe = recipe
        recipe.before = expiry + recipe.before
        return recipe
      }
    }
  }

  /// Longer than access tokens last, and far from the end of refresh tokens.
  private static let expiry: [JSON] = [["wait": "2h"]]

  private static func interactive(_ step: Step, _ outcome: String) -> [Recipe] {
    switch outcome {
    case "success": [Recipe()]
    case "userCanceled": [Recipe(user: ["cancels": true])]
    case "serverDeclinedScopes":
      [
        Recipe(before: [["misbehaves": "fewer-scopes"]], undo: ["behaves"]),
        Recipe(user: ["consent": ["User.Read"]]),
      ]
    case "workplaceJoinRequired":
      [
        Recipe(
          before: [["policyAdded": ["name": "Managed devices", "require": "compliantDevice"]]],
          undo: [["policyRemoved": "Managed devices"]])
      ] + redirected(to: "msauth://wpj?username=megan%40contoso.com") + grant(step, outcome, at: ["authorize"])
    case "mdmEnrollmentCompletedNeedsRetry": redirected(to: "msauth://in_app_enrollment_complete?status=success")
    case "invalidState": [Recipe(before: [["misbehaves": "wrong-state"]], undo: ["behaves"])]
    case "timedOut": [Recipe(user: ["takes": "2h"])] + grant(step, outcome, at: ["authorize", "token"])
    default: grant(step, outcome, at: ["authorize", "token"])
    }
  }

  /// The sign-in page leads to an address that only managed devices know.
  private static func redirected(to address: String) -> [Recipe] {
    let answer: JSON = ["body": "", "headers": ["Location": .string(address)], "status": 302]
    return [Recipe(before: [fault("authorize", answer)])]
  }

  private static func deviceCode(_ step: Step, _ outcome: String) -> [Recipe] {
    switch outcome {
    case "success": [Recipe()]
    case "authorizationDeclined":
      [
        Recipe(user: ["consent": "decline"]), Recipe(user: ["cancels": true]),
        Recipe(before: [oauth("authorization_declined")]),
      ]
    case "expiredToken": [Recipe(user: ["takes": "20m"]), Recipe(before: [oauth("expired_token")])]
    case "userCanceled": [Recipe(user: ["cancels": true])] + grant(step, outcome, at: ["token"])
    case "serverDeclinedScopes": [Recipe(before: [["misbehaves": "fewer-scopes"]], undo: ["behaves"])]
    case "timedOut": [Recipe(user: ["takes": "10m"])] + grant(step, outcome, at: ["token"])
    default: grant(step, outcome, at: ["token"])
    }
  }

  private static func signout(_ step: Step, _ outcome: String) -> [Recipe] {
    switch outcome {
    case "success": [Recipe()]
    case "notFound": [Recipe(), Recipe(before: ["signedOut"])]
    case "unexpected": unreadable
    case "userCanceled": [Recipe(user: ["cancels": true])]
    case "invalidState": [Recipe(before: [["misbehaves": "wrong-logout-state"]], undo: ["behaves"])]
    default: grant(step, outcome, at: ["/common/oauth2/v2.0/logout", "/organizations/oauth2/v2.0/logout"])
    }
  }

  private static func call(_ step: Step, _ outcome: String, at place: String) -> [Recipe] {
    // A call tries these again by itself, three times, and so does the step's own `retry`.
    let times: Int64 = step.retry?.isOff == true ? 1 : 4 * Int64(step.retry?.attempts ?? 1)
    func answer(_ answer: JSON, _ times: Int64 = 1) -> [Recipe] { [Recipe(before: [fault(place, answer, times)])] }
    return switch outcome {
    case "success": [Recipe()]
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
  private static func inside(_ step: Step, _ outcome: String) -> [Recipe] {
    if outcome == "success" { return [Recipe()] }
    let steps: [Step] =
      switch step.action {
      case .together(let members): members
      case .use(let use): use.workflow.map { $0.steps + $0.finally } ?? []
      default: []
      }
    var found: [Recipe] = []
    for inner in steps where inner.outcome(named: outcome) != nil {
      for recipe in recipes(for: inner, outcome: outcome) {
        var recipe = recipe
        // A fallback inside has its turn only where the silent step before it fails.
        if inner.isFallback { recipe.before = ["sessionsRevoked"] + expiry + recipe.before }
        found.append(recipe)
      }
    }
    return Array(found.prefix(12)).map { $0.repeated(steps.count) }
  }

  // MARK: What servers say

  private static let errors: [String: [JSON]] = [
    "interactionRequired": [
      ["error": "interaction_required"], ["error": "invalid_grant", "suberror": "basic_action"],
    ],
    "serverProtectionPoliciesRequired": [["error": "unauthorized_client", "suberror": "protection_policy_required"]],
    "serverInvalidRequestResetPasswordRequired": [["code": "AADSTS50142", "error": "invalid_request"]],
    "userCanceled": [["error": "access_denied"]],
    "invalidScope": [["error": "invalid_scope"]],
    "invalidClient": [["error": "invalid_client"]],
    "invalidRequest": [["error": "invalid_request"]],
    "invalidGrant": [["error": "invalid_grant"]],
    "unauthorizedClient": [["error": "unauthorized_client"]],
    "serverError": [["error": "server_error"]],
    "authorizationFailed": [["error": "something_else"], ["error": "temporarily_unavailable"]],
    "insufficientDeviceStrength": [["error": "invalid_grant", "suberror": "insufficient_device_strength"]],
    "workplaceJoinRequired": [["code": "AADSTS50129", "error": "invalid_grant"]],
    "invalidResponse": [["body": "{", "status": 200], ["body": [:], "status": 200]],
    "unexpected": [["body": [:], "status": 200], ["body": "{", "status": 200]],
    "unhandledResponse": [["body": "busy", "status": 400], ["body": "busy", "status": 418]],
    "nonHttpsRedirect": [["body": "", "headers": ["Location": "http://login.contoso.com/"], "status": 307]],
  ]

  private static func grant(_ step: Step, _ outcome: String, at places: [String]) -> [Recipe] {
    var found: [Recipe] = []
    for place in places {
      found += (errors[outcome] ?? []).map { Recipe(before: [fault(place, $0)]) }
    }
    switch outcome {
    case "offline": found += offline
    case "timedOut": found += late(step, at: places)
    case "unhandledResponse":
      // What is broken with 5xx is asked once more.
      for place in places { found.append(Recipe(before: [fault(place, ["body": "busy", "status": 503], 2)])) }
    case "invalidResponse", "unexpected":
      for place in places {
        found.append(Recipe(before: [["fault": ["answer": "html", "at": .string(place)]]]))
        found.append(Recipe(before: [["fault": ["answer": "truncated", "at": .string(place)]]]))
      }
      found.append(Recipe(before: [["misbehaves": "missing-access-token"]], undo: ["behaves"]))
      found.append(Recipe(before: [["misbehaves": "missing-id-token"]], undo: ["behaves"]))
      found.append(Recipe(before: [["misbehaves": "wrong-issuer"]], undo: ["behaves"]))
    case "failedAuthorityValidation":
      let answer: JSON = ["body": ["error": "invalid_instance"], "status": 400]
      found.append(Recipe(before: [fault("/common/discovery/instance", answer)]))
      found.append(Recipe(given: [fault("/common/discovery/instance", answer)]))
    case "nonHttpsRedirect":
      found.append(Recipe(before: [["misbehaves": "insecure-endpoints"]], undo: ["behaves"]))
      found.append(Recipe(before: [["misbehaves": "redirecting-token-endpoint"]], undo: ["behaves"]))
    default: break
    }
    return found
  }

  /// The token cache holds what cannot be read.
  private static let unreadable = [Recipe(before: ["cacheCorrupted"])]

  private static let offline = [Recipe(before: ["offline"], undo: ["online"])]

  private static func late(_ step: Step, at places: [String]) -> [Recipe] {
    guard let timeout = step.timeout else { return [] }
    let seconds = timeout.components.seconds * 2 + 2
    return places.map { Recipe(before: [fault($0, ["delay": .string("\(seconds)s")])]) }
  }

  private static func oauth(_ error: String) -> JSON { fault("token", ["error": .string(error)]) }

  private static func fault(_ place: String, _ answer: JSON, _ times: Int64 = 1) -> JSON {
    var fault: JSON = ["answer": answer, "at": .string(place)]
    if times > 1 { fault["times"] = .integer(times) }
    return ["fault": fault]
  }

  /// The path of an API's address, as faults name it.
  private static func apiPath(_ step: Step) -> String {
    guard case .callAPI(let call) = step.action, let url = call.url?.literal,
      let range = url.range(of: "://"), let slash = url[range.upperBound...].firstIndex(of: "/")
    else { return "/*" }
    return String(url[slash...].prefix { $0 != "?" && $0 != "#" })
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
