extension RuleSet {
  /// The rules about MSAL for Android's configuration and AndroidManifest.xml.
  static let android: [any Rule] = []
}
