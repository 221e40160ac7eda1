extension RuleSet {
  /// The rules about app manifests in all their dialects.
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
