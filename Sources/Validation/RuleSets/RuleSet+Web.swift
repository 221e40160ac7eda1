extension RuleSet {
  /// Rules for appsettings and msal.js configurations.
  static let web: [any Rule] = [
    AzureAdPlaceholder(),
    AzureAdInstance(),
    AzureAdTenant(),
    AzureAdB2C(),
    AzureAdPath(),
    AzureAdCredential(),
    AzureAdIncomplete(),
    AzureAdAuthorityDuplicate(),
    MSALJSSecret(),
    MSALJSKnownAuthorities(),
    MSALJSAuthority(),
    MSALJSRedirect(),
    MSALJSOption(),
  ]
}
