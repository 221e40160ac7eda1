/// An error code under `MSALInternalErrorCodeKey`, which identifies the cause of an error with the public code
/// `internal`.
package enum MSALInternalErrorCode: Int, MSALConstant {
  case invalidParameter = -42_000
  case redirectSchemeNotRegistered = -42_001
  case invalidRequest = -42_002
  case invalidClient = -42_003
  case invalidGrant = -42_004
  case invalidScope = -42_005
  case unauthorizedClient = -42_006
  case unhandledResponse = -42_007
  case unexpected = -42_008
  case unexpectedHttpResponse = -42_009
  case failedAuthorityValidation = -42_010
  case invalidRedirectURI = -42_011
  case mismatchedUser = -42_101
  case ambiguousAccount = -42_102
  case authorizationFailed = -42_104
  case accountRequired = -42_106
  case sessionCanceled = -42_401
  case interactiveSessionAlreadyRunning = -42_402
  case noViewController = -42_403
  case attemptToOpenURLFromExtension = -42_404
  case uiNotSupportedInExtension = -42_405
  case invalidState = -42_501
  case invalidResponse = -42_600
  case nonHttpsRedirect = -42_602
  case brokerResponseNotReceived = -42_700
  case brokerNoResumeStateFound = -42_701
  case brokerBadResumeStateFound = -42_702
  case brokerMismatchedResumeState = -42_703
  case brokerResponseHashMissing = -42_704
  case brokerCorruptedResponse = -42_705
  case brokerResponseDecryptionFailed = -42_706
  case brokerResponseHashMismatch = -42_707
  case brokerKeyFailedToCreate = -42_708
  case brokerKeyNotFound = -42_709
  case brokerUnknown = -42_711
  case brokerApplicationTokenWriteFailed = -42_712
  case brokerApplicationTokenReadFailed = -42_713
  case brokerNotAvailable = -42_714
  case jitLinkServerConfirmationError = -42_715
  case jitLinkAcquireTokenError = -42_716
  case jitLinkTokenAcquiredWrongTenant = -42_717
  case jitLinkError = -42_718
  case jitComplianceCheckResultNotCompliant = -42_719
  case jitComplianceCheckResultTimeout = -42_720
  case jitComplianceCheckResultUnknown = -42_721
  case jitComplianceCheckInvalidLinkPayload = -42_722
  case jitComplianceCheckCreateController = -42_723
  case jitLinkConfigNotFound = -42_724
  case jitInvalidLinkTokenConfig = -42_725
  case jitWPJDeviceRegistrationFailed = -42_726
  case jitWPJAccountIdentifierNil = -42_727
  case jitWPJAcquireTokenError = -42_728
  case jitRetryRequired = -42_729
  case jitUnknownStatusWebCP = -42_730
  case jitTroubleshootingCreateController = -42_731
  case jitTroubleshootingAcquireToken = -42_732
  case jitLinkServerConfirmationTimeout = -42_733
  case jitTroubleshootingRequired = -42_734
  case jitTroubleshootingResultUnknown = -42_735
  case deviceNotPSSORegistered = -42_736
  case pssoKeyIdMismatch = -42_737
  case jitErrorHandlingConfigNotFound = -42_738
  case pssoBiometricPolicyMismatch = -42_739
  case pssoInvalidPasskeyExtension = -42_740
  case pssoSaveLoginConfigFailure = -42_741
  case pssoPasskeyLAError = -42_742
  case pssoBiometricsNotAvailable = -42_743
  case pssoBiometricsNotEnrolled = -42_744
  case invalidASWebAuthenticationURL = -42_745

  package static let outcomes = MSALOutcomes<Self>()

  /// The name of the constant in MSAL. Starting at −42722, codes for device compliance and platform SSO have the same
  /// prefix as public codes.
  package var symbol: String {
    let name = "\(self)"
    let tail: String
    if name.hasPrefix("jit") || name.hasPrefix("ui") || name.hasPrefix("psso") {
      let letters = name.hasPrefix("psso") ? 4 : name.hasPrefix("ui") ? 2 : 3
      tail = name.prefix(letters).uppercased() + name.dropFirst(letters)
    } else {
      tail = capitalized(name)
    }
    if self == .brokerNotAvailable { return "MSALInternal\(tail)" }
    let isDeviceCode = rawValue <= -42_722 && (tail.hasPrefix("JIT") || tail.hasPrefix("PSSO"))
    return isDeviceCode ? "MSALError\(tail)" : "MSALInternalError\(tail)"
  }

  package var meaning: String { record.text("meaning") }

  /// The cause, in full sentences.
  package var cause: String { record.text("cause") }

  /// The recommended action.
  package var advice: String { record.text("advice") }

  package var verdict: Verdict { record.value("verdict") ?? .readCode }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("msal-internal-errors.txt"))
}
