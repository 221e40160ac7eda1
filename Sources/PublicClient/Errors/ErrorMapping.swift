import IdentityPlatform
import OAuth

/// Turns what servers say into MSAL's errors.
enum ErrorMapping {
  /// Where the server said it; the same words mean different things.
  enum Source {
    case tokenEndpoint, authorizeRedirect
  }

  /// The code for an OAuth error.
  static func core(_ error: OAuthError, at leg: Source) -> IdentityCoreError {
    let suberror = error.suberror?.lowercased()
    switch (leg, error.error.lowercased(), suberror) {
    case (.tokenEndpoint, "unauthorized_client", Suberror.protectionPolicyRequired.rawValue):
      return .serverProtectionPoliciesRequired
    case (.authorizeRedirect, "invalid_grant", Suberror.transferTokenExpired.rawValue),
      (.authorizeRedirect, "access_denied", "tts_denied"), (.authorizeRedirect, "access_denied", "user_skipped"):
      return .userCancel
    case (.authorizeRedirect, "invalid_grant", Suberror.insufficientDeviceStrength.rawValue):
      return .insufficientDeviceStrength
    case (_, "invalid_request", _):
      return error.errorCodes.contains(50_142) ? .serverInvalidRequestResetPasswordRequired : .serverInvalidRequest
    case (_, "invalid_client", _): return .serverInvalidClient
    case (_, "invalid_grant", _): return .serverInvalidGrant
    case (_, "invalid_scope", _): return .serverInvalidScope
    case (_, "unauthorized_client", _): return .serverUnauthorizedClient
    case (_, "interaction_required", _): return .interactionRequired
    case (_, "access_denied", _): return .serverAccessDenied
    case (_, "server_error", _): return .serverError
    case (_, "tokentransferfailedotc", _): return .userCancel
    case (.tokenEndpoint, _, _): return .serverOauth
    case (.authorizeRedirect, _, _): return .authorizationFailed
    }
  }

  /// MSAL's error for an OAuth error, with everything that the server said.
  ///
  /// MSAL decodes the description once as a form has it: redirects come decoded, an endpoint's JSON does not.
  static func error(_ oauth: OAuthError, at leg: Source) -> MSALError {
    let description = leg == .tokenEndpoint ? oauth.description.map { FormCoding.decode($0) } : oauth.description
    var error = MSALError(core(oauth, at: leg), description ?? oauth.error)
    error.oauthError = oauth.error
    error.suberror = oauth.suberror
    error.stsErrorCodes = oauth.errorCodes
    error.claims = oauth.claims
    return error
  }

  /// The error that a silent call gives where a refresh token was refused: the user must be asked.
  static func interactionRequired(because refused: MSALError) -> MSALError {
    var error = MSALError(.interactionRequired, refused.message)
    error.oauthError = refused.oauthError
    error.suberror = refused.suberror
    error.stsErrorCodes = refused.stsErrorCodes
    error.claims = refused.claims
    error.httpStatus = refused.httpStatus
    error.correlationID = refused.correlationID
    error.sent = refused.sent
    error.isThrottlingCacheHit = refused.isThrottlingCacheHit
    error.underlying = refused
    return error
  }

  /// Whether a refusal of a refresh token is returned as it is and not as `interactionRequired`.
  static func surfacesFromRefresh(_ error: MSALError) -> Bool {
    error.code == .serverProtectionPoliciesRequired
      || [MSALInternalErrorCode.invalidScope.rawValue, MSALInternalErrorCode.invalidClient.rawValue].contains(
        error.internalCode)
  }
}
