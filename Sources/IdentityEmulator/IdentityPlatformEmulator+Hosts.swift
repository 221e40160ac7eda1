extension IdentityPlatformEmulator {
  /// Whether a host is one of the real platform's, or an API's that answers here, also where every host is served.
  package func knows(host: String) -> Bool {
    HostKind(host) != nil || platform.withState { $0.answeringHosts.contains(host.lowercased()) }
  }
}
