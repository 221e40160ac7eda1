import IdentityPlatform
import OAuth

/// The mapping from OAuth errors to MSAL errors.
enum ErrorMapping {
  /// The request that caused an error. The mapping depends on this request.
  enum Source {
    case tokenEndpoint, authorizeRedirect
  }

  /// Returns the IdentityCore code for an OAuth error.
  static func core(_ error: OAuthError, at source: Source) -> IdentityCoreError {
    let suberror = error.suberror?.lowercased()
    switch (source, error.error.lowercased(), suberror) {
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

  /// Returns the MSAL error for an OAuth error, with all its details.
  ///
  /// MSAL form-decodes the description. Descriptions from redirects are already decoded, but descriptions from JSON are
  /// not.
  static func error(_ oauth: OAuthError, at source: Source) -> MSALError {
    let description = source == .tokenEndpoint ? oauth.description.map { FormCoding.decode($0) } : oauth.description
    var error = MSALError(core(oauth, at: source), description ?? oauth.error)
    error.oauthError = oauth.error
    error.suberror = oauth.suberror
    error.stsErrorCodes = oauth.errorCodes
    error.claims = oauth.claims
    return error
  }

  /// Returns the error that a silent call reports after the service rejected the refresh token.
  static func interactionRequired(after refreshError: MSALError) -> MSALError {
    var error = MSALError(.interactionRequired, refreshError.message)
    error.oauthError = refreshError.oauthError
    error.suberror = refreshError.suberror
    error.stsErrorCodes = refreshError.stsErrorCodes
    error.claims = refreshError.claims
    error.httpStatus = refreshError.httpStatus
    error.correlationID = refreshError.correlationID
    error.sent = refreshError.sent
    error.isThrottlingCacheHit = refreshError.isThrottlingCacheHit
    error.underlying = refreshError
    return error
  }

  /// Whether a silent call returns a refresh error directly instead of `interactionRequired`.
  static func isReturnedFromRefresh(_ error: MSALError) -> Bool {
    error.code == .serverProtectionPoliciesRequired
      || [MSALInternalErrorCode.invalidScope.rawValue, MSALInternalErrorCode.invalidClient.rawValue].contains(
        error.internalCode)
  }
}
