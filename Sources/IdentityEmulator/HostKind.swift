import GraphEmulator
import IdentityPlatform

/// The service to which a host name of the identity platform belongs.
enum HostKind: Hashable, Sendable {
  case login(Cloud)
  case b2c
  case external
  case graph(Cloud)
  /// `microsoft.com`, which serves the page for entering device codes.
  case devicePage

  /// Determines the kind of a host. Returns nil if the host does not belong to the platform.
  init?(_ host: String) {
    let host = host.lowercased()
    if let kind = Self.fixedHosts[host] {
      self = kind
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

  /// Whether responses include the `Strict-Transport-Security` header (RFC 6797). Only the platform's hosts send this
  /// header. If `localhost` or a custom host sent it, browsers would refuse plain HTTP connections to all other servers
  /// on that host.
  static func sendsStrictTransportSecurity(isSecure: Bool, host: String) -> Bool { isSecure && HostKind(host) != nil }

  /// The hosts that do not contain a tenant name. This is a dictionary because every request needs several lookups.
  private static let fixedHosts: [String: HostKind] = {
    var hosts: [String: HostKind] = ["microsoft.com": .devicePage, "www.microsoft.com": .devicePage]
    for cloud in Cloud.allCases {
      for alias in cloud.aliases where hosts[alias] == nil {
        hosts[alias] = Cloud.containing(host: alias).map { .login($0) }
      }
      if let host = cloud.graphHost, hosts[host] == nil { hosts[host] = Cloud.withGraph(host: host).map { .graph($0) } }
    }
    return hosts
  }()
}
