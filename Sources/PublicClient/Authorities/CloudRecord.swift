import Effects
import OAuth

/// The hosts of an authority's cloud, and the purpose of each host.
struct CloudRecord: Hashable, Sendable {
  /// The host for requests.
  var preferredNetwork: String
  /// The host in token cache keys.
  var preferredCache: String
  /// The hosts in lookup order: the cache host, the requested host, then the others.
  var aliases: [String]

  /// Creates a record for a host that does not belong to a cloud.
  init(unknownHost host: String) {
    preferredNetwork = host
    preferredCache = host
    aliases = [host]
  }

  init(_ cloud: InstanceMetadata.Cloud, requested host: String) {
    preferredNetwork = cloud.preferredNetwork
    preferredCache = cloud.preferredCache
    aliases = []
    for alias in [preferredCache, host] + cloud.aliases where !aliases.contains(alias) { aliases.append(alias) }
  }

  func contains(_ host: String) -> Bool { aliases.contains(host.lowercased()) || preferredNetwork == host.lowercased() }

  /// Replaces the host of a browser endpoint with the cloud's preferred network host.
  func networkURL(_ endpoint: String) -> URLReference {
    var url = URLReference(endpoint)
    guard let authority = url.authority?.lowercased(), contains(authority) else { return url }
    url.authority = preferredNetwork
    return url
  }
}
