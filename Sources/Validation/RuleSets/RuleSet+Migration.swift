extension RuleSet {
  /// Rules for the migration from ADAL to MSAL.
  static let migration: [any Rule] = [
    ADALResource(),
    AzureADGraphRetired(),
    ADALRedirectURI(),
    ADALPrompt(),
    ADALKey(),
    ADALKeychainGroup(),
    AuthorityEndpoint(),
  ]
}
