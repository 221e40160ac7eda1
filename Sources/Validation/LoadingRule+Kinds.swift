import AppRegistration

extension SettingsRule {
  /// Whether what it finds while settings are loaded is also said of a file of some kind.
  ///
  /// MSAL for Android, Microsoft.Identity.Web and msal.js make other demands than MSAL for iOS and macOS, whose words these are;
  /// they have rules of their own. What a client id is, is the same everywhere.
  func concerns(_ kind: AppRegistrationKind) -> Bool {
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
