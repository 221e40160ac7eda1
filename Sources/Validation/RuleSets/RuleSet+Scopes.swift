extension RuleSet {
  /// The rules about the permissions that are asked for, wherever they stand.
  static let scopes: [any Rule] = [
    ScopesEmpty(),
    ScopeReserved(),
    ScopeClientID(),
    ScopeForm(),
    ScopeRepeated(),
    ScopesOfSeveralResources(),
    DefaultScopeMixed(),
    PermissionUnknown(),
    PermissionNeedsAdmin(),
    PermissionNotForPersonalAccounts(),
  ]
}
