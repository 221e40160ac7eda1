import IdentityPlatform

/// A result that a step can have, with its default target.
///
/// Each step type has a closed set of outcomes. The outcomes of token steps are named after MSAL's error codes.
package struct Outcome: Hashable, Sendable {
  /// The target of an outcome for which the step has no `on`.
  package enum Default: String, Hashable, Sendable {
    /// The next step in the list.
    case next
    /// The nearest later fallback step.
    case fallback
    /// The nearest earlier `silent` step, which requests a token with the claims of the challenge. The call is then
    /// repeated, at most once.
    case detour
    /// Failure of the workflow.
    case fail
  }

  /// The category of an outcome.
  package enum Sort: Hashable, Sendable {
    /// The step achieved its purpose.
    case success
    /// The step had nothing to do, which is not an error.
    case neutral
    /// The step failed.
    case failure
    /// The step failed, and MSAL reports an internal error (-50000 with an internal code).
    case internalFailure
  }

  package let name: OutcomeName
  package let sort: Sort
  package let standard: Default
  /// A one-line explanation.
  package let summary: String

  init(_ name: OutcomeName, _ sort: Sort, _ standard: Default, _ summary: String) {
    self.name = name
    self.sort = sort
    self.standard = standard
    self.summary = summary
  }

  /// Creates a success or neutral outcome, whose default target is the next step.
  init(_ name: OutcomeName, _ sort: Sort, _ summary: String) { self.init(name, sort, .next, summary) }

  /// Creates a failure outcome that fails the workflow by default.
  init(_ name: OutcomeName, _ summary: String) {
    self.init(name, name.isInternal ? .internalFailure : .failure, .fail, summary)
  }

  /// Whether `on: {internal: …}` applies to the outcome.
  package var isInternal: Bool { sort == .internalFailure }
  /// Whether the step failed.
  package var isFailure: Bool { sort == .failure || sort == .internalFailure }
  /// Whether the step's `expect` is evaluated even if it does not specify this outcome.
  package var evaluatesExpect: Bool { !isFailure && name != .skipped }
}

extension Outcome {
  static func success(_ summary: String) -> Outcome { Outcome(.success, .success, summary) }

  static let offline = Outcome(.offline, "no network connection")
  static let timedOut = Outcome(.timedOut, "the step took longer than its timeout")
  static let skipped = Outcome(.skipped, .neutral, "the step's `when` condition was not met")
  static let exhausted = Outcome(.exhausted, "the step reached its `maxRuns` limit")

  static let invalidParameter = Outcome(
    .invalidParameter, "a parameter is missing or invalid, or contradicts another (-42000)")
  static let unexpected = Outcome(.unexpected, "an unexpected error occurred (-42008)")
  static let invalidState = Outcome(.internal(.invalidState), "the response does not belong to this request (-42501)")
  static let interactiveSessionAlreadyRunning = Outcome(
    .internal(.interactiveSessionAlreadyRunning), "another sign-in page is already open (-42402)")
  static let noViewController = Outcome(
    .internal(.noViewController), "the app has no view controller to present the page (-42403)")
  static let userCanceled = Outcome(.userCanceled, "the request was canceled, or access was denied (-50005)")
  static let interactionRequired = Outcome(
    .interactionRequired, "the server requires interaction that this request cannot provide (-50002)")
  static let resetPasswordRequired = Outcome(
    .msal(.serverInvalidRequestResetPasswordRequired), "the password must be reset first (-50142)")

  /// Internal errors that `silent`, `interactive`, `deviceCode`, and `signout` have in common, with their names in
  /// `MSALInternalError`. Servers can also return token endpoint errors during metadata discovery.
  static let internalErrors = [
    Outcome(.internal(.invalidScope), "the server rejected the scope as unknown or malformed (-42005)"),
    Outcome(.internal(.invalidClient), "the server rejected the client (-42003)"),
    invalidParameter,
    Outcome(.internal(.failedAuthorityValidation), "Microsoft does not recognize the authority (-42010)"),
    Outcome(.internal(.invalidResponse), "the server's response is invalid (-42600)"),
    Outcome(.internal(.unhandledResponse), "the server returned an unexpected HTTP error (-42007)"),
    unexpected,
    Outcome(.internal(.invalidRequest), "the server rejected the request as malformed (-42002)"),
    Outcome(.internal(.invalidGrant), "the server rejected the code or refresh token (-42004)"),
    Outcome(.internal(.unauthorizedClient), "the client is not allowed to make this request (-42006)"),
    Outcome(
      .internal(.authorizationFailed),
      "the server returned an error that MSAL does not map to a specific error (-42104)"),
    Outcome(.msal(.serverError), "the server reported an internal error (-50006)"),
    Outcome(.internal(.nonHttpsRedirect), "the server redirected to a URL without TLS (-42602)"),
  ]

  static let serverDeclinedScopes = Outcome(
    .serverDeclinedScopes, "the server granted only some of the requested scopes (-50003)")
  static let serverProtectionPoliciesRequired = Outcome(
    .msal(.serverProtectionPoliciesRequired), "the app requires an Intune app protection policy (-50004)")

  /// The outcomes of an API call.
  static let callOutcomes = [
    Outcome.success("the API returned status 2xx"),
    Outcome(
      .claimsChallenge, .failure, .detour, "the API requires a token with more claims (401 with a claims challenge)"),
    Outcome(.unauthorized, "the API rejected the token, or no token was available (401)"),
    Outcome(.forbidden, "the token does not contain a required permission (403)"),
    Outcome(.notFound, "the resource does not exist (404)"),
    Outcome(.throttled, "too many requests (429), even after retries"),
    Outcome(.serviceUnavailable, "the service failed (5xx), even after retries"),
    Outcome(.otherStatus, "the API returned another status"),
    invalidParameter,
  ]
}
