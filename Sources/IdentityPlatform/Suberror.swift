/// The finer word beside an OAuth error, by which clients choose what to do.
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

  /// Whether libraries show the word to apps; the others are for the library itself.
  package var isShownToApps: Bool {
    switch self {
    case .basicAction, .additionalAction, .messageOnly, .consentRequired, .userPasswordExpired: true
    default: false
    }
  }

  package var meaning: String {
    switch self {
    case .basicAction: "a simple step on the sign-in page mends it, such as a second factor"
    case .additionalAction: "something outside the sign-in page must be done, such as enrolling the device"
    case .messageOnly: "the sign-in page can only explain why not"
    case .consentRequired: "consent is missing"
    case .userPasswordExpired: "the password must be changed"
    case .badToken: "the refresh token can never be used again"
    case .tokenExpired: "the refresh token is too old for a policy"
    case .clientMismatch: "a family refresh token is not valid for this app"
    case .protectionPolicyRequired: "Intune must protect the app first"
    case .deviceAuthenticationFailed: "the device could not prove who it is"
    case .userAccountDeleted: "the account does not exist any more"
    case .transferTokenExpired: "the code that moves a sign-in between devices has expired"
    case .insufficientDeviceStrength: "the device's registration is too weak"
    }
  }

  /// What a client does on meeting it.
  package var reaction: String {
    switch self {
    case .basicAction: "go interactive, with the answer's claims"
    case .additionalAction: "go interactive, then tell the user what to do"
    case .messageOnly: "go interactive once, and do not loop"
    case .consentRequired: "go interactive with the same scopes"
    case .userPasswordExpired, .tokenExpired: "go interactive"
    case .badToken: "drop the refresh token, go interactive"
    case .clientMismatch: "leave the family and use the app's own refresh token"
    case .protectionPolicyRequired: "hand over to the Intune library"
    case .deviceAuthenticationFailed, .insufficientDeviceStrength: "register the device anew"
    case .userAccountDeleted: "remove the account"
    case .transferTokenExpired: "start the transfer again"
    }
  }
}
