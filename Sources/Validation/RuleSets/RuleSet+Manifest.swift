extension RuleSet {
  /// The rules about app manifests in all their dialects.
  static let manifest: [any Rule] = []
}
