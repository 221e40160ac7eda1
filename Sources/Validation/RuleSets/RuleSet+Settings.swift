extension RuleSet {
  /// The rules about an app's settings, which loading them speaks too.
  static let settings: [any Rule] = [
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
    RedirectForm(),
    RedirectNotRegistered(),
    RedirectInvalid(),
    RedirectBypassed(),
    BundleIDForm(),
    BundleIDMismatch(),
    GraphEndpointForm(),
    NestedAuthIncomplete(),
    TestServerSecret(),
  ]
}
