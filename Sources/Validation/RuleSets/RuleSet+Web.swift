extension RuleSet {
  /// The rules about appsettings and msal.js configurations.
  static let web: [any Rule] = []
}
