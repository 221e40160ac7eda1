import Diagnostics

/// The rules that are looked after.
package struct RuleSet: Sendable {
  package var rules: [any Rule]

  /// Every rule there is, in the order in which `--rules` lists them.
  package static let all = RuleSet(rules: [
    AppIDMissing(),
    AppIDPlaceholder(),
    AppIDNotGUID(),
    AppIDWhiteSpace(),
    AppIDZero(),
    AppIDDummy(),
    AuthorityForm(),
    AuthorityHTTP(),
    AuthorityADFS(),
    AuthorityContradiction(),
    AuthorityPlaceholder(),
    AuthorityUnknownHost(),
    KnownAuthorityForm(),
    PolicyMissing(),
    TenantForm(),
    ScopesEmpty(),
    ScopeReserved(),
    ScopeClientID(),
    ScopeForm(),
    RedirectForm(),
    RedirectNotRegistered(),
    RedirectInvalid(),
    RedirectBypassed(),
    BundleIDForm(),
    BundleIDMismatch(),
    GraphEndpointForm(),
    NestedAuthIncomplete(),
    TestServerSecret(),
    PermissionUnknown(),
    PermissionNeedsAdmin(),
    PermissionNotForPersonalAccounts(),
    ScopesOfSeveralResources(),
    DefaultScopeMixed(),
    SecretCommitted(),
    StepScopeReserved(),
    StepAuthorityKind(),
  ])

  package init(rules: [any Rule]) { self.rules = rules }

  /// Whether a finding under that name is one of these rules' own.
  func speaks(_ id: String) -> Bool { rules.contains { $0.id == id } }

  package func rule(_ id: String) -> (any Rule)? { rules.first { $0.id == id } }
}
