/// A public error code in `MSALErrorDomain`.
package enum MSALErrorCode: Int, MSALConstant {
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

  package static let outcomes = MSALOutcomes<Self>()

  /// The name of the constant in MSAL.
  package var symbol: String {
    self == .mdmEnrollmentCompletedNeedsRetry
      ? "MSALErrorMDMEnrollmentCompletedNeedsRetry" : "MSALError\(capitalized("\(self)"))"
  }

  /// Whether MSAL returns this code directly. Otherwise, MSAL returns the code `internal` with this number as the
  /// internal code.
  package var isReportedDirectly: Bool {
    switch self {
    case .serverError, .insufficientDeviceStrength, .mdmEnrollmentCompletedNeedsRetry: false
    default: true
    }
  }

  package var meaning: String { record.text("meaning") }

  /// The cause, in full sentences.
  package var cause: String { record.text("cause") }

  /// A description of how MSAL handles the error and which error the app receives.
  package var reaction: String {
    let result =
      isReportedDirectly
      ? "the app receives the code \(rawValue)"
      : "the app receives -50000 with \(rawValue) under MSALInternalErrorCodeKey"
    return result + (record["reaction"] ?? ".")
  }

  /// The recommended action.
  package var advice: String { record.text("advice") }

  package var verdict: Verdict { record.value("verdict") ?? .readCode }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("msal-errors.txt"))
}

/// Capitalizes the first letter. For example, `interactionRequired` becomes `InteractionRequired`.
func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
