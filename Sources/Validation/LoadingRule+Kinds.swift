import AppRegistration

extension SettingsRule {
  /// Whether findings of the rule apply to a kind of file.
  ///
  /// Most rules check requirements of MSAL for iOS and macOS. MSAL for Android, Microsoft.Identity.Web, and msal.js
  /// have different requirements and separate rules. Only the rules for the client ID apply to all.
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
