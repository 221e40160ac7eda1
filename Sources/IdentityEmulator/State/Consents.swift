import IdentityPlatform
import OrderedCollections

/// What was consented to, by users for themselves and by administrators for their tenant.
struct Consents: Hashable, Sendable {
  enum Grantor: Hashable, Sendable {
    case user(String)
    case tenant(String)

    var key: String {
      switch self {
      case .user(let id): "user:\(id.lowercased())"
      case .tenant(let id): "tenant:\(id.lowercased())"
      }
    }
  }

  /// Scope names by grantor, client and resource, in the order of consent.
  private(set) var byGrantor:
    OrderedDictionary<String, OrderedDictionary<String, OrderedDictionary<String, [String]>>> = [:]

  /// The scopes of a resource that the user, an administrator of the tenant, or Microsoft (for its own clients) has
  /// granted to the client, without those of OpenID Connect.
  func granted(to clientID: String, user: String, tenant: String, resource: String) -> [String] {
    var names = FirstPartyClient.identified(by: clientID)?.preauthorizedScopes(on: resource) ?? []
    for grantor in [Grantor.tenant(tenant), .user(user)] {
      for name in byGrantor[grantor.key]?[clientID.lowercased()]?[resource] ?? []
      where !names.contains(where: { $0.lowercased() == name.lowercased() }) && !WellKnown.openIDScopes.contains(name) {
        names.append(name)
      }
    }
    return names
  }

  mutating func add(_ names: [String], of resource: String, to clientID: String, by grantor: Grantor) {
    var known = byGrantor[grantor.key]?[clientID.lowercased()]?[resource] ?? []
    for name in names where !known.contains(where: { $0.lowercased() == name.lowercased() }) { known.append(name) }
    byGrantor[grantor.key, default: [:]][clientID.lowercased(), default: [:]][resource] = known
  }

  /// Takes back everything that the grantor gave the client, or only the named scopes.
  mutating func remove(_ names: [String]? = nil, of clientID: String, by grantor: Grantor) {
    guard let names else {
      byGrantor[grantor.key]?[clientID.lowercased()] = nil
      return
    }
    let unwanted = Set(names.map { $0.lowercased() })
    guard var resources = byGrantor[grantor.key]?[clientID.lowercased()] else { return }
    for (resource, granted) in resources {
      resources[resource] = granted.filter { !unwanted.contains($0.lowercased()) }
    }
    byGrantor[grantor.key]?[clientID.lowercased()] = resources
  }

  /// Whether the user was ever asked: the client has the basic profile.
  func knows(_ clientID: String, user: String, tenant: String) -> Bool {
    FirstPartyClient.identified(by: clientID) != nil
      || [Grantor.user(user), .tenant(tenant)].contains { byGrantor[$0.key]?[clientID.lowercased()]?.isEmpty == false }
  }

  /// - Parameter uniting: whether names that are there already stay.
  mutating func restore(
    _ grantor: String, _ client: String, _ resource: String, _ names: [String], uniting: Bool = false
  ) {
    let kept = uniting ? byGrantor[grantor]?[client]?[resource] ?? [] : []
    let names = kept + names.filter { name in !kept.contains { $0.lowercased() == name.lowercased() } }
    byGrantor[grantor, default: [:]][client, default: [:]][resource] = names
  }
}
