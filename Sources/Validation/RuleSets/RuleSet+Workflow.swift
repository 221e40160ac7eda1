extension RuleSet {
  /// The rules about a workflow's steps and the settings that they run with.
  static let workflow: [any Rule] = [
    StepScopeReserved(),
    StepAuthorityKind(),
  ]
}
