extension RuleSet {
  /// Rules that compare the files that belong to one app.
  static let crossFile: [any Rule] = [
    ClientIDMismatch(),
    RedirectNotInManifest(),
    CallbackNotInManifest(),
    RedirectNotInApp(),
    RedirectSchemeNotInApp(),
    ScopeNotInManifest(),
    AudienceContradiction(),
    BundleIDContradiction(),
    DeviceCodeNotAllowed(),
    KeychainGroupContradiction(),
  ]
}
