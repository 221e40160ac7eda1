extension RuleSet {
  /// The rules about Info.plist, entitlements and Xcode projects.
  static let apple: [any Rule] = []
}
