import Documents
import OrderedCollections

/// The response of instance discovery, which lists the hosts of each cloud.
package struct InstanceMetadata: Hashable, Sendable {
  package struct Cloud: Hashable, Sendable {
    /// The host for requests.
    package var preferredNetwork: String
    /// The host in token cache keys.
    package var preferredCache: String
    package var aliases: [String]

    package init(preferredNetwork: String, preferredCache: String, aliases: [String]) {
      self.preferredNetwork = preferredNetwork
      self.preferredCache = preferredCache
      self.aliases = aliases
    }
  }

  /// The URL of the requested authority's discovery document, if the response contains it.
  package var tenantDiscoveryEndpoint: String?
  package var clouds: [Cloud]

  package init(tenantDiscoveryEndpoint: String?, clouds: [Cloud]) {
    self.tenantDiscoveryEndpoint = tenantDiscoveryEndpoint
    self.clouds = clouds
  }

  /// Parses the response and skips incomplete clouds. Returns nil if the JSON is not an instance discovery response.
  package init?(_ json: JSON) {
    guard json["tenant_discovery_endpoint"] != nil || json["metadata"] != nil else { return nil }
    self.init(
      tenantDiscoveryEndpoint: json["tenant_discovery_endpoint"]?.string,
      clouds: (json["metadata"]?.array ?? []).compactMap { cloud in
        guard let network = cloud["preferred_network"]?.string, let cache = cloud["preferred_cache"]?.string else {
          return nil
        }
        return Cloud(
          preferredNetwork: network.lowercased(), preferredCache: cache.lowercased(),
          aliases: (cloud["aliases"]?.array ?? []).compactMap { $0.string?.lowercased() })
      })
  }

  package var json: JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    if let tenantDiscoveryEndpoint { members["tenant_discovery_endpoint"] = .string(tenantDiscoveryEndpoint) }
    members["api-version"] = "1.1"
    members["metadata"] = .array(
      clouds.map { cloud in
        .object([
          "preferred_network": .string(cloud.preferredNetwork), "preferred_cache": .string(cloud.preferredCache),
          "aliases": .array(cloud.aliases.map { .string($0) }),
        ])
      })
    return .object(members)
  }

  /// Returns the cloud that contains a host.
  package func cloud(of host: String) -> Cloud? {
    let host = host.lowercased()
    return clouds.first { $0.aliases.contains(host) || $0.preferredNetwork == host || $0.preferredCache == host }
  }
}
