extension RuleSet {
  /// Rules for the steps of a workflow with its settings.
  static let workflow: [any Rule] = [
    StepScopeReserved(),
    StepAuthorityKind(),
  ]
}
