/// Which of an account's entries belong to a tenant.
///
/// MSAL for Python takes an entry's realm from the path of the endpoint that was asked: after a sign-in at `common` the
/// entries of the home tenant, into which that endpoint signs people, have the realm `common`.
struct RealmMatch: Sendable {
  private let wanted: String
  private let acceptsCommon: Bool

  private static let common: Set<String> = ["common", "organizations", "consumers"]

  init(_ realm: String, ofAccount homeAccountID: String) {
    let realm = CacheKey.normal(realm)
    wanted = realm
    acceptsCommon = CacheKey.normal(homeAccountID).hasSuffix("." + realm)
  }

  /// The entries of just that realm; where there are none, those of the home tenant that name none.
  func best<Entry>(of entries: [Entry], realm: (Entry) -> String) -> [Entry] {
    let exact = entries.filter { CacheKey.normal(realm($0)) == wanted }
    guard exact.isEmpty, acceptsCommon else { return exact }
    return entries.filter { Self.common.contains(CacheKey.normal(realm($0))) }
  }
}
