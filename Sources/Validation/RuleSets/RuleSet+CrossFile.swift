extension RuleSet {
  /// Rules that compare files of one app.
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
