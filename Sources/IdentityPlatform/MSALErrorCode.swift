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

  package var meaning: String { record.text("meaning") }

  /// How it comes about.
  package var cause: String { record.text("cause") }

  /// What MSAL does beside returning it.
  package var reaction: String {
    let sight =
      surfacesAsItself
      ? "the app sees the code \(rawValue)"
      : "the app never sees this code itself: it arrives as -50000 with \(rawValue) under MSALInternalErrorCodeKey"
    return sight + (record["reaction"] ?? ".")
  }

  /// What an app should do.
  package var advice: String { record.text("advice") }

  package var verdict: Verdict { record.value("verdict") ?? .readCode }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("msal-errors.txt"))
}

/// `interactionRequired` → `InteractionRequired`.
func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
