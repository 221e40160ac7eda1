import IdentityPlatform
import OrderedCollections

/// The permissions that users granted for themselves and that administrators granted for their tenant.
struct Consents: Hashable, Sendable {
  /// The user or tenant to which a consent applies.
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

  /// The scope names by grantor, client, and resource, in the order of consent.
  private(set) var byGrantor:
    OrderedDictionary<String, OrderedDictionary<String, OrderedDictionary<String, [String]>>> = [:]

  /// Returns the granted scopes of a resource, except OpenID Connect scopes. Scopes can be granted by the user, by an
  /// administrator of the tenant, or, for Microsoft's own clients, by Microsoft.
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
    var existing = byGrantor[grantor.key]?[clientID.lowercased()]?[resource] ?? []
    for name in names where !existing.contains(where: { $0.lowercased() == name.lowercased() }) {
      existing.append(name)
    }
    byGrantor[grantor.key, default: [:]][clientID.lowercased(), default: [:]][resource] = existing
  }

  /// Revokes the named scopes that the grantor granted to the client, or all scopes if `names` is nil.
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

  /// Whether the user or an administrator has consented to the client before.
  func knows(_ clientID: String, user: String, tenant: String) -> Bool {
    FirstPartyClient.identified(by: clientID) != nil
      || [Grantor.user(user), .tenant(tenant)].contains { byGrantor[$0.key]?[clientID.lowercased()]?.isEmpty == false }
  }

  /// Restores consents from a snapshot.
  /// - Parameter merging: Whether to merge the scopes with existing scopes instead of replacing them.
  mutating func restore(
    _ grantor: String, _ client: String, _ resource: String, _ names: [String], merging: Bool = false
  ) {
    let existing = merging ? byGrantor[grantor]?[client]?[resource] ?? [] : []
    let names = existing + names.filter { name in !existing.contains { $0.lowercased() == name.lowercased() } }
    byGrantor[grantor, default: [:]][client, default: [:]][resource] = names
  }
}
