extension RuleSet {
  /// The rules about what should not stand in a file that others see.
  static let secrets: [any Rule] = [
    SecretCommitted(),
    AppIDCommitted(),
  ]
}
