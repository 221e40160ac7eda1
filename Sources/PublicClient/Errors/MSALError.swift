import Documents
import Effects
import IdentityPlatform
import OAuth

/// An error as MSAL gives it to an app, with both levels of codes and all that its user-info would hold.
package struct MSALError: Error, Sendable {
  /// Nil where the network failed: MSAL passes the system's error through, which is in `transport`.
  package var code: MSALErrorCode?
  /// What `internal` stands for; an internal code, or a public one that does not surface.
  package var internalCode: Int?
  package var transport: TransportFailure?
  /// For people: the server's words where there are some.
  package var message: String
  package var oauthError: String?
  package var suberror: String?
  package var stsErrorCodes: [Int] = []
  /// What a policy demands of the next request, as JSON text.
  package var claims: String?
  package var httpStatus: Int?
  /// Names in lower case.
  package var httpHeaders = Parameters()
  package var correlationID: String?
  package var grantedScopes: [String]?
  package var declinedScopes: [String]?
  package var displayableUserID: String?
  package var homeAccountID: String?
  package var isThrottlingCacheHit = false
  /// Whether the service is down, so that an older token may be returned in place of this error.
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
    (code, internalCode) = error.msal
    self.message = message
  }

  init(_ failure: MSALFailure) {
    code = failure.code
    internalCode = failure.internalCode?.rawValue
    message = failure.help.map { "\(failure.words); \($0)" } ?? failure.words
  }

  init(_ failure: TransportFailure) {
    switch failure {
    case .badResponse: (code, internalCode) = IdentityCoreError.serverInvalidResponse.msal
    case .cancelled: (code, internalCode) = IdentityCoreError.sessionCanceledProgrammatically.msal
    default: transport = failure
    }
    message = failure.explanation
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

  /// The public code's name in MSAL, or the domain of the system's error.
  package var symbol: String { code?.symbol ?? "NSURLErrorDomain" }

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

  /// The user-info dictionary that an app would see, by MSAL's keys.
  package var userInfo: JSON {
    var info: JSON = ["MSALErrorDescriptionKey": .string(message)]
    func add(_ key: String, _ value: String?) {
      if let value { info[key] = .string(value) }
    }
    add("MSALOAuthErrorKey", oauthError)
    add("MSALOAuthSubErrorKey", suberror)
    if !stsErrorCodes.isEmpty { info["MSALSTSErrorCodesKey"] = .array(stsErrorCodes.map { .integer(Int64($0)) }) }
    if let internalCode { info["MSALInternalErrorCodeKey"] = .integer(Int64(internalCode)) }
    add("MSALHTTPResponseCodeKey", httpStatus.map { String($0) })
    if !httpHeaders.isEmpty {
      var headers: JSON = [:]
      for entry in httpHeaders.entries { headers[entry.name] = .string(entry.value) }
      info["MSALHTTPHeadersKey"] = headers
    }
    add("MSALCorrelationIDKey", correlationID)
    if let grantedScopes { info["MSALGrantedScopesKey"] = .array(grantedScopes.map { .string($0) }) }
    if let declinedScopes { info["MSALDeclinedScopesKey"] = .array(declinedScopes.map { .string($0) }) }
    if let invalidResult { info["MSALInvalidResultKey"] = invalidResult.json }
    add("MSALDisplayableUserIdKey", displayableUserID)
    add("MSALHomeAccountIdKey", homeAccountID)
    if isThrottlingCacheHit { info["MSALThrottlingCacheHitKey"] = 1 }
    if let underlying { info["NSUnderlyingErrorKey"] = underlying.json }
    return info
  }

  /// Domain, codes, names and user-info.
  package var json: JSON {
    [
      "domain": .string(code == nil ? "NSURLErrorDomain" : MSALErrorCode.domain),
      "code": code.map { .integer(Int64($0.rawValue)) } ?? .null, "name": .string(symbol),
      "internalName": internalSymbol.map { .string($0) } ?? .null, "outcome": .string(outcomeName),
      "userInfo": userInfo,
    ]
  }

  /// The same error of a request that is known.
  func attempted(_ sent: SentRequest?, correlationID: String) -> MSALError {
    var error = self
    if error.sent == nil { error.sent = sent }
    if error.correlationID == nil { error.correlationID = correlationID }
    return error
  }
}
