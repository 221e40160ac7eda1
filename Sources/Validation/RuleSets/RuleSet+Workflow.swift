extension RuleSet {
  /// Rules that check a workflow's steps against its settings.
  static let workflow: [any Rule] = [
    StepScopeReserved(),
    StepAuthorityKind(),
  ]
}
