extension RuleSet {
  /// The rules about Info.plist, entitlements and Xcode projects.
  static let apple: [any Rule] = [
    URLTypesMisspelt(),
    URLSchemePlaceholder(),
    URLSchemeEmpty(),
    URLSchemeForm(),
    URLSchemeGeneric(),
    URLSchemeClientID(),
    URLSchemeBundleMismatch(),
    URLSchemeNotRegistered(),
    QuerySchemesMissing(),
    QuerySchemesMisspelt(),
    QuerySchemesRepeated(),
    IntunePlaceholder(),
    IntuneClientID(),
    KeychainGroupMissing(),
    KeychainGroupAbsent(),
    KeychainGroupPrefix(),
    KeychainGroupPrefixDot(),
    KeychainGroupWildcard(),
    KeychainGroupAppGroup(),
    SandboxNetworkClient(),
  ]
}
