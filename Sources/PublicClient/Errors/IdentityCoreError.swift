import IdentityPlatform

/// The error codes of IdentityCore, the library that MSAL is built on. MSAL maps each code to an MSAL code, so apps do
/// not receive IdentityCore codes.
package enum IdentityCoreError: Int, Hashable, Sendable, CaseIterable {
  case `internal` = -51_100
  case invalidInternalParameter = -51_111
  case invalidDeveloperParameter = -51_112
  case missingAccountParameter = -51_113
  case unsupportedFunctionality = -51_114
  case interactionRequired = -51_115
  case serverNonHttpsRedirect = -51_116
  case mismatchedAccount = -51_117
  case redirectSchemeNotRegistered = -51_118
  case invalidRedirectURI = -51_119
  case cacheMultipleUsers = -51_200
  case cacheBadFormat = -51_201
  case serverOauth = -51_400
  case serverInvalidResponse = -51_401
  case serverInvalidRequest = -51_410
  case serverInvalidClient = -51_411
  case serverInvalidGrant = -51_412
  case serverInvalidScope = -51_413
  case serverUnauthorizedClient = -51_414
  case serverDeclinedScopes = -51_415
  case serverAccessDenied = -51_416
  case serverError = -51_417
  case serverInvalidState = -51_420
  case serverProtectionPoliciesRequired = -51_430
  case authorizationFailed = -51_440
  case serverUnhandledResponse = -51_500
  case unexpectedHttpResponse = -51_501
  case authorityValidation = -51_600
  case userCancel = -51_700
  case sessionCanceledProgrammatically = -51_701
  case interactiveSessionStartFailure = -51_702
  case interactiveSessionAlreadyRunning = -51_710
  case noMainViewController = -51_720
  case workplaceJoinRequired = -51_810
  case brokerNotAvailable = -51_814
  // IdentityCore does not define codes for these errors, so the numbers are MSAL's.
  case serverInvalidRequestResetPasswordRequired = -50_142
  case insufficientDeviceStrength = -50_007
  case mdmEnrollmentCompletedNeedsRetry = -50_008

  /// The error domain in IdentityCore. Telemetry includes this domain.
  var domain: String {
    switch self {
    case .serverUnhandledResponse, .unexpectedHttpResponse: "MSIDHttpErrorCodeDomain"
    case .serverInvalidRequestResetPasswordRequired: "MSIDOAuthErrorDomain"
    default: (-51_499 ... -51_400).contains(rawValue) ? "MSIDOAuthErrorDomain" : "MSIDErrorDomain"
    }
  }

  /// MSAL's public code, and the internal code if the public code is `internal`.
  package var msal: (code: MSALErrorCode, internalCode: Int?) {
    switch self {
    case .interactionRequired: (.interactionRequired, nil)
    case .serverDeclinedScopes: (.serverDeclinedScopes, nil)
    case .serverProtectionPoliciesRequired: (.serverProtectionPoliciesRequired, nil)
    case .workplaceJoinRequired: (.workplaceJoinRequired, nil)
    case .serverAccessDenied, .userCancel, .sessionCanceledProgrammatically: (.userCanceled, nil)
    case .serverInvalidRequestResetPasswordRequired: (.serverInvalidRequestResetPasswordRequired, nil)
    case .serverError: (.internal, MSALErrorCode.serverError.rawValue)
    case .insufficientDeviceStrength: (.internal, MSALErrorCode.insufficientDeviceStrength.rawValue)
    case .mdmEnrollmentCompletedNeedsRetry: (.internal, MSALErrorCode.mdmEnrollmentCompletedNeedsRetry.rawValue)
    default: (.internal, internalCode.rawValue)
    }
  }

  private var internalCode: MSALInternalErrorCode {
    switch self {
    case .invalidDeveloperParameter: .invalidParameter
    case .missingAccountParameter: .accountRequired
    case .serverNonHttpsRedirect: .nonHttpsRedirect
    case .mismatchedAccount: .mismatchedUser
    case .redirectSchemeNotRegistered: .redirectSchemeNotRegistered
    case .invalidRedirectURI: .invalidRedirectURI
    case .cacheMultipleUsers: .ambiguousAccount
    case .serverOauth, .authorizationFailed: .authorizationFailed
    case .serverInvalidResponse: .invalidResponse
    case .serverInvalidRequest: .invalidRequest
    case .serverInvalidClient: .invalidClient
    case .serverInvalidGrant: .invalidGrant
    case .serverInvalidScope: .invalidScope
    case .serverUnauthorizedClient: .unauthorizedClient
    case .serverInvalidState: .invalidState
    case .serverUnhandledResponse: .unhandledResponse
    case .unexpectedHttpResponse: .unexpectedHttpResponse
    case .authorityValidation: .failedAuthorityValidation
    case .interactiveSessionAlreadyRunning: .interactiveSessionAlreadyRunning
    case .noMainViewController: .noViewController
    case .brokerNotAvailable: .brokerNotAvailable
    default: .unexpected
    }
  }
}
