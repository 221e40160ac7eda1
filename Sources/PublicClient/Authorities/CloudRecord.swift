import OAuth

/// What is known of an authority's host: the hosts of its cloud and which to use for what.
struct CloudRecord: Hashable, Sendable {
  /// The host for requests.
  var preferredNetwork: String
  /// The host for keys of the token cache.
  var preferredCache: String
  /// For look-ups: the cache's host, the asked one, then the others.
  var aliases: [String]

  /// A host that belongs to no cloud stands for itself.
  init(standingAlone host: String) {
    preferredNetwork = host
    preferredCache = host
    aliases = [host]
  }

  init(preferredNetwork: String, preferredCache: String, aliases others: [String], asked host: String) {
    self.preferredNetwork = preferredNetwork
    self.preferredCache = preferredCache
    var ordered: [String] = []
    for alias in [preferredCache, host] + others where !ordered.contains(alias) { ordered.append(alias) }
    aliases = ordered
  }

  func contains(_ host: String) -> Bool { aliases.contains(host.lowercased()) || preferredNetwork == host.lowercased() }

  /// An endpoint for the browser, on the host that the cloud prefers.
  func networkURL(_ endpoint: String) -> URLReference {
    var url = URLReference(endpoint)
    guard let authority = url.authority?.lowercased(), contains(authority) else { return url }
    url.authority = preferredNetwork
    return url
  }
}
