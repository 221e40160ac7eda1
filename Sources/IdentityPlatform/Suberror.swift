/// The `suberror` in an OAuth error response, which determines how clients handle the error.
package enum Suberror: String, Sendable, CaseIterable {
  case basicAction = "basic_action"
  case additionalAction = "additional_action"
  case messageOnly = "message_only"
  case consentRequired = "consent_required"
  case userPasswordExpired = "user_password_expired"
  case badToken = "bad_token"
  case tokenExpired = "token_expired"
  case clientMismatch = "client_mismatch"
  case protectionPolicyRequired = "protection_policy_required"
  case deviceAuthenticationFailed = "device_authentication_failed"
  case userAccountDeleted = "user_account_deleted"
  case transferTokenExpired = "transfer_token_expired"
  case insufficientDeviceStrength = "insufficient_device_strength"

  /// Whether libraries pass the suberror to apps. Libraries handle all other suberrors themselves.
  package var isShownToApps: Bool {
    switch self {
    case .basicAction, .additionalAction, .messageOnly, .consentRequired, .userPasswordExpired: true
    default: false
    }
  }

  package var meaning: String { record.text("meaning") }

  /// The recommended handling.
  package var reaction: String { record.text("reaction") }

  /// The handling in MSAL for Apple platforms when the service rejects a refresh token with this suberror.
  var libraryReaction: String { record.text("library") }

  var verdict: Verdict { record.value("verdict") ?? .signIn }

  private var record: DataRecord { Self.records["\(self)"] ?? DataRecord() }

  private static let records = DataRecord.byName(EmbeddedData.text("suberrors.txt"))
}
