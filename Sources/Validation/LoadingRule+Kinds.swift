import AppRegistration

extension SettingsRule {
  /// Returns whether the rule's findings apply to a kind of file.
  ///
  /// Most rules check what MSAL for iOS and macOS requires. MSAL for Android, Microsoft.Identity.Web, and msal.js have
  /// different requirements, which separate rules check. Only the client ID rules apply to all files.
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
