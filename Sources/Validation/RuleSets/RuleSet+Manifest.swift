extension RuleSet {
  /// Rules for app manifests in all formats.
  static let manifest: [any Rule] = [
    ManifestFragment(),
    ManifestAudienceUnknown(),
    ManifestTokenVersion(),
    ManifestRedirectMalformed(),
    ManifestRedirectPersonal(),
    ManifestRedirectDuplicate(),
    ManifestRedirectType(),
    ManifestBrokerRedirect(),
    ManifestPublicClient(),
    ManifestImplicitFlow(),
    ManifestIDEmpty(),
    ManifestIDMalformed(),
    ManifestIDPlaceholder(),
    ManifestIdentifierURI(),
    ManifestPermissionType(),
    ManifestPermissionUnknown(),
    ManifestPermissionName(),
    ManifestPermissionAdmin(),
    ManifestAppRoles(),
    ManifestLimits(),
    ManifestFormatRetired(),
    CredentialExpired(),
    CredentialNoExpiry(),
  ]
}
