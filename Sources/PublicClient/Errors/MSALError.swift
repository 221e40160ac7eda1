import Documents
import Effects
import IdentityPlatform
import OAuth
import TokenCache

/// An error that MSAL returns to an app, with its codes and `userInfo` values.
package struct MSALError: Error, Sendable {
  /// The public code, or nil if MSAL forwards a system error.
  package var code: MSALErrorCode?
  /// The internal code, or a public code that MSAL does not return directly.
  package var internalCode: Int?
  /// The system error that MSAL forwards, from the network or the cache store.
  package private(set) var system: SystemError?
  /// The network failure, if there was one.
  package private(set) var transport: TransportFailure?
  /// The IdentityCore error that MSAL mapped to this error.
  private(set) var core: IdentityCoreError?
  /// The description, taken from the server's response if possible.
  package var message: String
  package var oauthError: String?
  package var suberror: String?
  package var suberrorDescription: String?
  package var stsErrorCodes: [Int] = []
  /// The claims that a policy requires in the next request, as JSON text.
  package var claims: String?
  /// The HTTP status of the response, including OAuth error responses. The app receives this status only if
  /// `isHTTPError` is true.
  package var httpStatus: Int?
  /// Whether the HTTP status caused the error. Only then does MSAL report the status and headers to the app.
  var isHTTPError = false
  /// The headers of an HTTP error.
  package var httpHeaders = Parameters()
  package var correlationID: String?
  package var grantedScopes: [String]?
  package var declinedScopes: [String]?
  package var displayableUserID: String?
  package var homeAccountID: String?
  package var isThrottlingCacheHit = false
  /// Whether the token endpoint returned a 5xx status. In that case, MSAL can return a cached token instead of this
  /// error.
  var isServerUnavailable = false
  /// The value of the `Retry-After` header.
  var retryAfter: String?
  // These arrays have at most one element. They are arrays because a struct cannot contain itself.
  private var underlyingErrors: [MSALError] = []
  private var invalidResults: [TokenResult] = []

  // Values for workflows.

  package var sent: SentRequest?
  package var screens: [String] = []
  /// The error code that the sign-in page showed.
  package var pageError: String?
  /// A custom outcome for the device code flow, which MSAL does not support.
  var outcomeOverride: String?

  init(_ error: IdentityCoreError, _ message: String) {
    core = error
    (code, internalCode) = error.msal
    self.message = message
  }

  package init(_ failure: MSALFailure) {
    code = failure.code
    internalCode = failure.internalCode?.rawValue
    message = failure.help.map { "\(failure.message); \($0)" } ?? failure.message
  }

  /// Forwards the system error, unless the response was invalid or the request was canceled.
  init(_ failure: TransportFailure) {
    switch failure {
    case .badResponse, .tooLong, .notRecorded: self.init(.serverInvalidResponse, failure.explanation)
    case .canceled: self.init(.sessionCanceledProgrammatically, failure.explanation)
    default:
      self.init(SystemError(failure), failure.explanation)
      transport = failure
    }
  }

  init(_ failure: TokenCacheFailure) {
    switch failure {
    case .store(let store): self.init(SystemError(store), failure.explanation)
    default: self.init(.cacheBadFormat, failure.explanation)
    }
  }

  private init(_ system: SystemError, _ message: String) {
    self.system = system
    self.message = message
  }

  /// The underlying error (`NSUnderlyingErrorKey`).
  package var underlying: MSALError? {
    get { underlyingErrors.first }
    set { underlyingErrors = newValue.map { [$0] } ?? [] }
  }

  /// The token result if the server granted only some of the scopes (`MSALInvalidResultKey`).
  package var invalidResult: TokenResult? {
    get { invalidResults.first }
    set { invalidResults = newValue.map { [$0] } ?? [] }
  }

  package var domain: String { system?.domain ?? MSALErrorCode.domain }

  /// The name of the public code in MSAL, or the domain of the system error.
  package var symbol: String { code?.symbol ?? domain }

  /// The name of the internal code in MSAL.
  package var internalSymbol: String? {
    internalCode.flatMap { MSALInternalErrorCode(rawValue: $0)?.symbol ?? MSALErrorCode(rawValue: $0)?.symbol }
  }

  /// The name of the outcome in a workflow. This is MSAL's name in lower camel case, or `offline` or `timedOut` for
  /// network failures.
  package var outcomeName: String {
    if let outcomeOverride { return outcomeOverride }
    if let transport {
      if case .timedOut = transport { return "timedOut" }
      return "offline"
    }
    guard let code else { return MSALInternalErrorCode.unexpected.outcome }
    guard code == .internal, let internalCode else { return code.outcome }
    return MSALInternalErrorCode(rawValue: internalCode)?.outcome ?? MSALErrorCode(rawValue: internalCode)?.outcome
      ?? code.outcome
  }

  /// Whether the error matches `internal` in a workflow's `on`.
  package var isInternal: Bool { code == .internal && outcomeOverride == nil }

  /// The AADSTS or AADB2C code, from the description, the error codes, or the error page.
  package var serverCode: String? {
    OAuthError.code(in: message) ?? stsErrorCodes.first.map { "AADSTS\($0)" } ?? underlying?.serverCode ?? pageError
  }

  /// Returns the error with the request and correlation ID, unless it already has them.
  func withContext(_ sent: SentRequest?, correlationID: String) -> MSALError {
    var error = self
    if error.sent == nil { error.sent = sent }
    if error.correlationID == nil { error.correlationID = correlationID }
    return error
  }
}
