extension RuleSet {
  /// The rules about files of one app that contradict each other.
  static let together: [any Rule] = [
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
