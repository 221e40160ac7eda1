import AppRegistration

extension SettingsRule {
  /// Returns whether the rule's findings apply to a kind of file.
  ///
  /// Most rules check the requirements of MSAL for iOS and macOS. MSAL for Android, Microsoft.Identity.Web, and msal.js
  /// have different requirements, and separate rules check them. Only the client ID rules apply to all files.
  func applies(to kind: AppRegistrationKind) -> Bool {
    switch kind {
    case .androidConfig, .appsettings, .msalJS:
      switch self {
      case .appIDPlaceholder, .appIDNotGUID, .appIDWhiteSpace, .appIDZero, .appIDDummy: true
      default: false
      }
    default: true
    }
  }
}
