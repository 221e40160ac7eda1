extension RuleSet {
  /// Rules for Info.plists, entitlements files, and Xcode projects.
  static let apple: [any Rule] = [
    URLTypesMisspelled(),
    URLSchemePlaceholder(),
    URLSchemeEmpty(),
    URLSchemeMalformed(),
    URLSchemeGeneric(),
    URLSchemeClientID(),
    URLSchemeBundleMismatch(),
    URLSchemeNotRegistered(),
    QuerySchemesMissing(),
    QuerySchemesMisspelled(),
    QuerySchemesDuplicate(),
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
