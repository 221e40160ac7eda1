extension IdentityPlatformEmulator {
  /// Whether a host belongs to the live service or to an API for which the directory defines responses. The result does
  /// not depend on `Options.servesEveryHost`.
  package func isServiceHost(_ host: String) -> Bool {
    HostKind(host) != nil || platform.withState { $0.customAPIHosts.contains(host.lowercased()) }
  }
}
