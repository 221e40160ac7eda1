import Documents
import Effects
import IdentityPlatform
import OAuth
import TokenCache

/// An error as MSAL gives it to an app, with both levels of codes and all that its user-info would hold.
package struct MSALError: Error, Sendable {
  /// Nil where MSAL passes an error of the system through, which is then in `system`.
  package var code: MSALErrorCode?
  /// What `internal` stands for; an internal code, or a public one that does not surface.
  package var internalCode: Int?
  /// The system's error that is passed through: of the network, or of the place where the cache is kept.
  package private(set) var system: SystemError?
  /// How the network failed, where it did.
  package private(set) var transport: TransportFailure?
  /// The error of the layer below that this one was made of; nil where there was none.
  private(set) var core: IdentityCoreError?
  /// For people: the server's words where there are some.
  package var message: String
  package var oauthError: String?
  package var suberror: String?
  package var suberrorDescription: String?
  package var stsErrorCodes: [Int] = []
  /// What a policy demands of the next request, as JSON text.
  package var claims: String?
  /// The status of the response, of OAuth errors too. An app sees it only if `isHTTPError`.
  package var httpStatus: Int?
  /// Whether the status itself is the error: MSAL reports status and headers to the app only then.
  var isHTTPError = false
  /// Headers of an HTTP error, with their names as sent.
  package var httpHeaders = Parameters()
  package var correlationID: String?
  package var grantedScopes: [String]?
  package var declinedScopes: [String]?
  package var displayableUserID: String?
  package var homeAccountID: String?
  package var isThrottlingCacheHit = false
  /// Whether the token endpoint answered 5xx, so that MSAL may return an older token instead of this error.
  var isServerUnavailable = false
  /// How long the server wants to be left alone, in its own words.
  var retryAfter: String?
  // Arrays of at most one, because a structure cannot hold itself.
  private var underlyingErrors: [MSALError] = []
  private var invalidResults: [TokenResult] = []

  // What a workflow wants to see of the attempt.

  package var sent: SentRequest?
  package var screens: [String] = []
  /// The code that an error page showed.
  package var pageError: String?
  /// The outcome's name where it is none of MSAL's: what ended a device code.
  var ownOutcome: String?

  init(_ error: IdentityCoreError, _ message: String) {
    core = error
    (code, internalCode) = error.msal
    self.message = message
  }

  package init(_ failure: MSALFailure) {
    code = failure.code
    internalCode = failure.internalCode?.rawValue
    message = failure.help.map { "\(failure.words); \($0)" } ?? failure.words
  }

  /// Raw, except where the answer itself is at fault, and where somebody cancelled.
  init(_ failure: TransportFailure) {
    switch failure {
    case .badResponse, .tooLong, .notRecorded: self.init(.serverInvalidResponse, failure.explanation)
    case .cancelled: self.init(.sessionCanceledProgrammatically, failure.explanation)
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

  /// The error that this one was made of.
  package var underlying: MSALError? {
    get { underlyingErrors.first }
    set { underlyingErrors = newValue.map { [$0] } ?? [] }
  }

  /// A result that was obtained and is not what was asked for (MSALInvalidResultKey).
  package var invalidResult: TokenResult? {
    get { invalidResults.first }
    set { invalidResults = newValue.map { [$0] } ?? [] }
  }

  package var domain: String { system?.domain ?? MSALErrorCode.domain }

  /// The public code's name in MSAL, or the domain of the system's error.
  package var symbol: String { code?.symbol ?? domain }

  /// The internal code's name in MSAL.
  package var internalSymbol: String? {
    internalCode.flatMap { MSALInternalErrorCode(rawValue: $0)?.symbol ?? MSALErrorCode(rawValue: $0)?.symbol }
  }

  /// The outcome's name in a workflow: MSAL's own in lower camel case, `offline` and `timedOut` for the network.
  package var outcomeName: String {
    if let ownOutcome { return ownOutcome }
    if let transport {
      if case .timedOut = transport { return "timedOut" }
      return "offline"
    }
    guard let code else { return MSALInternalErrorCode.unexpected.outcome }
    guard code == .internal, let internalCode else { return code.outcome }
    return MSALInternalErrorCode(rawValue: internalCode)?.outcome ?? MSALErrorCode(rawValue: internalCode)?.outcome
      ?? code.outcome
  }

  /// Whether `internal` in a workflow's `on` catches it.
  package var isInternal: Bool { code == .internal && ownOutcome == nil }

  /// The server's own code, `AADSTS50076` or `AADB2C90118`, from its words, its numbers, or the page that it ended on.
  package var serverCode: String? {
    OAuthError.code(in: message) ?? stsErrorCodes.first.map { "AADSTS\($0)" } ?? underlying?.serverCode ?? pageError
  }

  /// The same error of a request that is known.
  func attempted(_ sent: SentRequest?, correlationID: String) -> MSALError {
    var error = self
    if error.sent == nil { error.sent = sent }
    if error.correlationID == nil { error.correlationID = correlationID }
    return error
  }
}
