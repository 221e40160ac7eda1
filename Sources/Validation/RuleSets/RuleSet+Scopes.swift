extension RuleSet {
  /// Rules for scopes in settings and workflow steps.
  static let scopes: [any Rule] = [
    ScopesEmpty(),
    ScopeReserved(),
    ScopeClientID(),
    ScopeMalformed(),
    ScopeDuplicate(),
    ScopesMultipleResources(),
    DefaultScopeMixed(),
    PermissionUnknown(),
    PermissionNeedsAdmin(),
    PermissionNotForPersonalAccounts(),
  ]
}
