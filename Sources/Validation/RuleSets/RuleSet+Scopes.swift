extension RuleSet {
  /// The rules about the permissions that are asked for, wherever they stand.
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
