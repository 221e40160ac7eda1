import Documents
import IdentityPlatform
import WorkflowModel

/// Strategies for server and network failures.
extension OutcomeStrategies {
  /// The endpoint that returns the host aliases of a cloud.
  static let instance = "/common/discovery/instance"

  /// The responses that cause each outcome.
  static let errors: [OutcomeName: [JSON]] = [
    .interactionRequired: [
      ["error": "interaction_required"], ["error": "invalid_grant", "suberror": "basic_action"],
    ],
    .msal(.serverProtectionPoliciesRequired): [
      ["error": "unauthorized_client", "suberror": "protection_policy_required"]
    ],
    .msal(.serverInvalidRequestResetPasswordRequired): [["code": "AADSTS50142", "error": "invalid_request"]],
    .userCanceled: [["error": "access_denied"]],
    .internal(.invalidScope): [["error": "invalid_scope"]],
    .internal(.invalidClient): [["error": "invalid_client"]],
    .internal(.invalidRequest): [["error": "invalid_request"]],
    .internal(.invalidGrant): [["error": "invalid_grant"]],
    .internal(.unauthorizedClient): [["error": "unauthorized_client"]],
    .msal(.serverError): [["error": "server_error"]],
    .internal(.authorizationFailed): [["error": "something_else"], ["error": "temporarily_unavailable"]],
    .msal(.insufficientDeviceStrength): [["error": "invalid_grant", "suberror": "insufficient_device_strength"]],
    .internal(.invalidResponse): [["body": "{", "status": 200], ["body": [:], "status": 200]],
    .unexpected: [["body": [:], "status": 200], ["body": "{", "status": 200]],
    .internal(.unhandledResponse): [["body": "busy", "status": 400], ["body": "busy", "status": 418]],
    .internal(.nonHttpsRedirect): [["body": "", "headers": ["Location": "http://login.contoso.com/"], "status": 307]],
  ]

  /// Returns strategies that cause the outcome with a response from one of the given endpoints.
  static func grant(_ step: Step, _ outcome: OutcomeName, at places: [String]) -> [OutcomeStrategy] {
    var found: [OutcomeStrategy] = []
    for place in places {
      found += (errors[outcome] ?? []).map { OutcomeStrategy(before: [OutcomeStrategy.fault(place, $0)]) }
    }
    switch outcome {
    case .offline:
      found += offline
      // Without a network, the second of two concurrent pages can fail first, because MSAL retries the first page.
      for place in places {
        found.append(OutcomeStrategy(before: [["fault": ["response": "reset", "at": .string(place)]]]))
      }
    case .timedOut: found += late(step, at: places)
    case .internal(.unhandledResponse):
      // MSAL retries once after a 5xx status.
      for place in places {
        found.append(OutcomeStrategy(before: [OutcomeStrategy.fault(place, ["body": "busy", "status": 503], 2)]))
      }
    case .internal(.invalidResponse), .unexpected:
      for place in places {
        found.append(OutcomeStrategy(before: [["fault": ["response": "html", "at": .string(place)]]]))
      }
      found.append(OutcomeStrategy(before: [["misbehaves": "missing-access-token"]], undo: ["stopsMisbehaving"]))
      found.append(OutcomeStrategy(before: [["misbehaves": "missing-id-token"]], undo: ["stopsMisbehaving"]))
      found.append(OutcomeStrategy(before: [["misbehaves": "wrong-issuer"]], undo: ["stopsMisbehaving"]))
    case .internal(.failedAuthorityValidation):
      let answer: JSON = ["body": ["error": "invalid_instance"], "status": 400]
      found.append(OutcomeStrategy(before: [OutcomeStrategy.fault(instance, answer)]))
      found.append(OutcomeStrategy(given: [OutcomeStrategy.fault(instance, answer)]))
    case .internal(.nonHttpsRedirect):
      found.append(OutcomeStrategy(before: [["misbehaves": "insecure-endpoints"]], undo: ["stopsMisbehaving"]))
      found.append(OutcomeStrategy(before: [["misbehaves": "redirecting-token-endpoint"]], undo: ["stopsMisbehaving"]))
    default: break
    }
    return found
  }

  static func oauth(_ error: String) -> JSON { OutcomeStrategy.fault("token", ["error": .string(error)]) }

  /// The strategy that makes the token cache unreadable.
  static let unreadable = [OutcomeStrategy(before: ["cacheCorrupted"])]

  static let offline = [OutcomeStrategy(before: ["offline"], undo: ["online"])]

  /// Returns strategies that delay a response beyond the step's timeout. The request itself can time out first, so
  /// the second strategy also delays the retry.
  static func late(_ step: Step, at places: [String]) -> [OutcomeStrategy] {
    guard step.timeout != nil else { return [] }
    let answer: JSON = ["delay": .string(late(step))]
    return places.flatMap { place in
      [
        OutcomeStrategy(before: [OutcomeStrategy.fault(place, answer)]),
        OutcomeStrategy(before: [OutcomeStrategy.fault(place, answer, 2)]),
      ]
    }
  }

  /// Returns a delay that is longer than the step's timeout.
  static func late(_ step: Step) -> String { "\((step.timeout?.components.seconds ?? 3600) * 2 + 2)s" }
}
