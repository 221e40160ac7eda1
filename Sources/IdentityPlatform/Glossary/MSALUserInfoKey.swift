/// A key of the userInfo dictionary of MSAL's errors. The constant's value is its own name.
package enum MSALUserInfoKey: String, Sendable, CaseIterable {
  case oauthError = "MSALOAuthErrorKey"
  case oauthSubError = "MSALOAuthSubErrorKey"
  case oauthSubErrorDescription = "MSALOAuthSubErrorDescriptionKey"
  case errorDescription = "MSALErrorDescriptionKey"
  case stsErrorCodes = "MSALSTSErrorCodesKey"
  case internalErrorCode = "MSALInternalErrorCodeKey"
  case httpHeaders = "MSALHTTPHeadersKey"
  case httpResponseCode = "MSALHTTPResponseCodeKey"
  case correlationID = "MSALCorrelationIDKey"
  case grantedScopes = "MSALGrantedScopesKey"
  case declinedScopes = "MSALDeclinedScopesKey"
  case invalidResult = "MSALInvalidResultKey"
  case displayableUserID = "MSALDisplayableUserIdKey"
  case homeAccountID = "MSALHomeAccountIdKey"
  case brokerVersion = "MSALBrokerVersionKey"
  case throttlingCacheHit = "MSALThrottlingCacheHitKey"
  case underlyingError = "NSUnderlyingErrorKey"

  package var meaning: String {
    switch self {
    case .oauthError: "the service's OAuth error, as it sent it"
    case .oauthSubError: "the service's suberror"
    case .oauthSubErrorDescription: "further text about the suberror"
    case .errorDescription: "what went wrong in words: the service's error_description where there is one"
    case .stsErrorCodes: "the numbers of the AADSTS codes, an array"
    case .internalErrorCode: "the precise code, where the public one is -50000"
    case .httpHeaders: "the headers of the answer, a dictionary"
    case .httpResponseCode: "the HTTP status, as a string"
    case .correlationID: "the id of the request, by which Microsoft finds it in its logs"
    case .grantedScopes: "the scopes that were granted, without the OpenID Connect ones"
    case .declinedScopes: "the scopes that were asked for and not granted"
    case .invalidResult: "the MSALResult that came although it is not what was asked for"
    case .displayableUserID: "the user name, for registering the device or for the Intune SDK"
    case .homeAccountID: "the account's identifier, for registering the device or for the Intune SDK"
    case .brokerVersion: "the version of the broker app that answered"
    case .throttlingCacheHit: "1 where the error came from memory and no request was sent"
    case .underlyingError: "the error that this one was made of, converted by the same rules"
    }
  }

  /// What to do with it.
  package var advice: String {
    switch self {
    case .oauthError, .oauthSubError: "Look the word up; do not compare MSALErrorDescriptionKey with fixed texts."
    case .oauthSubErrorDescription: "Log it; it is seldom there."
    case .errorDescription: "Log it and show it to developers; it is in no language of the user's choosing."
    case .stsErrorCodes: "Look the number up as AADSTS<number>. The key is absent, not empty, where there are none."
    case .internalErrorCode: "Look the number up."
    case .httpHeaders: "Read Retry-After from it before trying again."
    case .httpResponseCode: "429 and 5xx pass: wait, then try again. It is text, not a number."
    case .correlationID: "Put it into every bug report, together with the time."
    case .grantedScopes: "Ask silently for exactly these where they are enough: the tokens are in the cache."
    case .declinedScopes: "Tell the user what does not work without them."
    case .invalidResult: "Use it only where the granted scopes are enough."
    case .displayableUserID, .homeAccountID: "Pass it on to the library that mends the device or the app's protection."
    case .brokerVersion: "Put it into bug reports."
    case .throttlingCacheHit: "Stop asking: wait, or let the user sign in, which ends the throttling."
    case .underlyingError: "Read its userInfo too: the first cause is often there."
    }
  }

  /// The errors that carry it.
  package var carriers: [String] {
    switch self {
    case .grantedScopes, .declinedScopes, .invalidResult: [MSALErrorCode.serverDeclinedScopes.symbol]
    case .displayableUserID, .homeAccountID:
      [
        MSALErrorCode.workplaceJoinRequired.symbol, MSALErrorCode.serverProtectionPoliciesRequired.symbol,
        MSALErrorCode.insufficientDeviceStrength.symbol,
      ]
    case .internalErrorCode: [MSALErrorCode.internal.symbol]
    case .throttlingCacheHit: [MSALErrorCode.interactionRequired.symbol]
    case .httpHeaders, .httpResponseCode: [MSALInternalErrorCode.unhandledResponse.symbol]
    default: []
    }
  }
}
