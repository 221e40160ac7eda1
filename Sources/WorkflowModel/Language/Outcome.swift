/// One of the closed set of things that can become of a step.
package struct Outcome: Hashable, Sendable {
  /// Where a workflow goes where no `on` says otherwise.
  package enum Default: String, Hashable, Sendable {
    /// To the next step in the list.
    case next
    /// To the nearest later step that is there as a fallback.
    case fallback
    /// To the nearest earlier `silent` with the claims of the challenge, and back to the same call, once.
    case detour
    /// The workflow has failed.
    case fail
  }

  /// What sort of thing it is.
  package enum Sort: Hashable, Sendable {
    /// The step did what it is for.
    case success
    /// The step did nothing, and nothing is wrong with that.
    case neutral
    /// The step could not do what it is for.
    case failure
    /// The same, and MSAL tells it as an internal error (-50000 with a code of its own).
    case internalFailure
  }

  package let name: String
  package let sort: Sort
  package let standard: Default
  /// One line: what happened.
  package let words: String

  init(_ name: String, _ sort: Sort, _ standard: Default, _ words: String) {
    self.name = name
    self.sort = sort
    self.standard = standard
    self.words = words
  }

  /// Successes and neutral outcomes go on to the next step, all others fail.
  init(_ name: String, _ sort: Sort, _ words: String) {
    self.init(name, sort, sort == .success || sort == .neutral ? .next : .fail, words)
  }

  /// A failure.
  init(_ name: String, _ words: String) { self.init(name, .failure, .fail, words) }

  /// Whether `internal` catches it.
  package var isInternal: Bool { sort == .internalFailure }
  /// Whether a step that ends so is judged by its `expect` unasked.
  package var isJudged: Bool { (sort == .success || sort == .neutral) && name != "skipped" }
}

extension Outcome {
  static func success(_ words: String) -> Outcome { Outcome("success", .success, words) }

  static let offline = Outcome("offline", "there is no network")
  static let timedOut = Outcome("timedOut", "it took longer than its timeout")
  static let skipped = Outcome("skipped", .neutral, "its `when` did not hold")
  static let exhausted = Outcome("exhausted", "it had run as often as `maxRuns` allows")

  static let invalidParameter = Outcome(
    "invalidParameter", .internalFailure, "a parameter is missing, contradicts another or cannot be filled in (-42000)")
  static let unexpected = Outcome("unexpected", .internalFailure, "something else went wrong (-42008)")
  static let invalidState = Outcome("invalidState", .internalFailure, "the answer belongs to another request (-42501)")
  static let interactiveSessionAlreadyRunning = Outcome(
    "interactiveSessionAlreadyRunning", .internalFailure, "another page is open (-42402)")
  static let noViewController = Outcome(
    "noViewController", .internalFailure, "there is nowhere to show the page (-42403)")
  static let userCanceled = Outcome("userCanceled", "the call was cancelled, or access was denied (-50005)")
  static let resetPasswordRequired = Outcome(
    "serverInvalidRequestResetPasswordRequired", "the password must be reset first (-50142)")

  /// What silent, interactive and deviceCode can all end in, by MSAL's names (reference: MSALInternalError).
  static let silentInternals = [
    Outcome("invalidScope", .internalFailure, "the server knows no such scope (-42005)"),
    Outcome("invalidClient", .internalFailure, "the server does not accept this client (-42003)"),
    invalidParameter,
    Outcome("failedAuthorityValidation", .internalFailure, "the authority is not known to Microsoft (-42010)"),
    Outcome("invalidResponse", .internalFailure, "the server's answer makes no sense (-42600)"),
    Outcome("unhandledResponse", .internalFailure, "the server answered with an HTTP error (-42007)"),
    unexpected,
  ]

  /// What servers refuse with: at the token endpoint, and already where they are asked to describe themselves.
  static let grantInternals = [
    Outcome("invalidRequest", .internalFailure, "the server finds the request malformed (-42002)"),
    Outcome("invalidGrant", .internalFailure, "the server does not accept the code or the token (-42004)"),
    Outcome("unauthorizedClient", .internalFailure, "this client may not do that (-42006)"),
    Outcome(
      "authorizationFailed", .internalFailure, "the server refused, with an error that MSAL has no name for (-42104)"),
    Outcome("serverError", .internalFailure, "the server had an error of its own (-50006)"),
    Outcome("nonHttpsRedirect", .internalFailure, "the server leads to an address without TLS (-42602)"),
  ]

  static let serverDeclinedScopes = Outcome(
    "serverDeclinedScopes", "the server granted less than was asked for (-50003)")
  static let serverProtectionPoliciesRequired = Outcome(
    "serverProtectionPoliciesRequired", "the app must be under Intune app protection (-50004)")

  /// What a call of an API can end in.
  static let callOutcomes = [
    Outcome.success("the API answered with 2xx"),
    Outcome(
      "claimsChallenge", .failure, .detour, "the API wants a token with further claims (401 with a claims challenge)"),
    Outcome("unauthorized", "the API does not accept the token, or there is none (401)"),
    Outcome("forbidden", "the token lacks a permission (403)"),
    Outcome("notFound", "there is no such thing (404)"),
    Outcome("throttled", "too many requests (429), also after the retries"),
    Outcome("serviceUnavailable", "the service has an error (5xx), also after the retries"),
    Outcome("otherStatus", "the API answered with any other status"),
    invalidParameter,
  ]
}
