import GraphEmulator
import IdentityPlatform

/// What a host name of the platform stands for.
enum HostKind: Hashable, Sendable {
  case login(Cloud)
  case b2c
  case external
  case graph(Cloud)
  /// `microsoft.com`, where user codes are typed.
  case devicePage

  /// Nil for a host that is not the platform's.
  init?(_ host: String) {
    let host = host.lowercased()
    if let known = Self.known[host] {
      self = known
    } else if let cloud = Cloud.containing(host: host) {
      self = .login(cloud)
    } else if let cloud = Cloud.withGraph(host: host) {
      self = .graph(cloud)
    } else if Authority.hasB2CHost(host) {
      self = .b2c
    } else if Authority.hasCIAMHost(host) {
      self = .external
    } else if host == "microsoft.com" || host == "www.microsoft.com" {
      self = .devicePage
    } else {
      return nil
    }
  }

  /// Whether a browser may be told to come by TLS only from now on (RFC 6797). For the platform's own names alone: a
  /// browser that remembers it for this machine's, or for a name that somebody lent to the emulator, would find none of
  /// the plain servers there any more.
  static func mayDemandTLS(isSecure: Bool, host: String) -> Bool { isSecure && HostKind(host) != nil }

  /// The hosts that do not name a tenant; asked for several times in every request.
  private static let known: [String: HostKind] = {
    var known: [String: HostKind] = ["microsoft.com": .devicePage, "www.microsoft.com": .devicePage]
    for cloud in Cloud.allCases {
      for alias in cloud.aliases where known[alias] == nil {
        known[alias] = Cloud.containing(host: alias).map { .login($0) }
      }
      if let host = cloud.graphHost, known[host] == nil { known[host] = Cloud.withGraph(host: host).map { .graph($0) } }
    }
    return known
  }()
}
