/// The public codes of `MSALErrorDomain`.
package enum MSALErrorCode: Int, Sendable, CaseIterable {
  case `internal` = -50_000
  case workplaceJoinRequired = -50_001
  case interactionRequired = -50_002
  case serverDeclinedScopes = -50_003
  case serverProtectionPoliciesRequired = -50_004
  case userCanceled = -50_005
  case serverError = -50_006
  case insufficientDeviceStrength = -50_007
  case mdmEnrollmentCompletedNeedsRetry = -50_008
  case serverInvalidRequestResetPasswordRequired = -50_142

  package static let domain = "MSALErrorDomain"

  /// The constant's name in MSAL.
  package var symbol: String {
    self == .mdmEnrollmentCompletedNeedsRetry
      ? "MSALErrorMDMEnrollmentCompletedNeedsRetry" : "MSALError\(capitalized("\(self)"))"
  }

  /// The outcome's name in a workflow: MSAL's own, in lower camel case.
  package var outcome: String { "\(self)" }

  /// Whether an app ever sees this code itself; the others arrive as `internal` with this number as internal code.
  package var surfacesAsItself: Bool {
    switch self {
    case .serverError, .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry: false
    default: true
    }
  }

  package var meaning: String {
    switch self {
    case .internal: "something that users cannot mend; the internal code says what"
    case .workplaceJoinRequired: "the device must be registered with the organization first"
    case .interactionRequired: "no token without the user: show the sign-in page"
    case .serverDeclinedScopes: "a token came, with fewer permissions than were asked for"
    case .serverProtectionPoliciesRequired: "Intune must protect the app before this resource answers it"
    case .userCanceled: "the user, or the app itself, closed the sign-in page"
    case .serverError: "the service reported a fault of its own"
    case .insufficientDeviceStrength: "the device's registration is too weak for what the policy asks"
    case .mdmEnrollmentCompletedNeedsRetry: "the device has just been enrolled; the same request may pass now"
    case .serverInvalidRequestResetPasswordRequired: "the user must reset the password before anything else"
    }
  }
}

/// `interactionRequired` → `InteractionRequired`.
func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
