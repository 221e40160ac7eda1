extension RuleSet {
  /// Rules for secrets and client IDs in shared files.
  static let secrets: [any Rule] = [
    SecretCommitted(),
    AppIDCommitted(),
  ]
}
