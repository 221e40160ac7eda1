extension IdentityPlatformEmulator {
  /// Whether a host belongs to the live service or to an API with responses in the directory, regardless of
  /// `Options.servesEveryHost`.
  package func isServiceHost(_ host: String) -> Bool {
    HostKind(host) != nil || platform.withState { $0.customAPIHosts.contains(host.lowercased()) }
  }
}
