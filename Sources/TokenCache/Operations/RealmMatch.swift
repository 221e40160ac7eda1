/// Selects the entries of an account that belong to a tenant.
///
/// MSAL for Python takes the realm of an entry from the path of the token endpoint. After a sign-in at `common`,
/// entries for the home tenant therefore have the realm `common`.
struct RealmMatch: Sendable {
  private let realm: String
  private let acceptsCommon: Bool

  private static let common: Set<String> = ["common", "organizations", "consumers"]

  init(_ realm: String, ofAccount homeAccountID: String) {
    let realm = CacheKey.normalized(realm)
    self.realm = realm
    acceptsCommon = CacheKey.normalized(homeAccountID).hasSuffix("." + realm)
  }

  /// Returns the entries whose realm is the tenant. If there are none and the tenant is the home tenant, returns the
  /// entries with a multitenant realm.
  func best<Entry>(of entries: [Entry], realm: (Entry) -> String) -> [Entry] {
    let exact = entries.filter { CacheKey.normalized(realm($0)) == self.realm }
    guard exact.isEmpty, acceptsCommon else { return exact }
    return entries.filter { Self.common.contains(CacheKey.normalized(realm($0))) }
  }
}
