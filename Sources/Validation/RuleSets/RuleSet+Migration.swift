extension RuleSet {
  /// The rules about what is left of ADAL.
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
