extension RuleSet {
  /// The rules about app manifests in all their dialects.
  static let manifest: [any Rule] = [
    ManifestFragment(),
    ManifestAudienceUnknown(),
    ManifestTokenVersion(),
    ManifestRedirectForm(),
    ManifestRedirectPersonal(),
    ManifestRedirectTwice(),
    ManifestRedirectType(),
    ManifestBrokerRedirect(),
    ManifestPublicClient(),
    ManifestImplicitFlow(),
    ManifestIDEmpty(),
    ManifestIDForm(),
    ManifestIDPlaceholder(),
    ManifestIdentifierURI(),
    ManifestPermissionType(),
    ManifestPermissionUnknown(),
    ManifestPermissionName(),
    ManifestPermissionAdmin(),
    ManifestAppRoles(),
    ManifestLimits(),
    ManifestDialectRetired(),
    CredentialExpired(),
    CredentialNeverEnds(),
  ]
}
