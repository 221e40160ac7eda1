import Documents
import OrderedCollections

/// The parts of the shared cache file, by their names in it.
package enum CacheSectionName: String, Sendable, Hashable, CaseIterable {
  case accessToken = "AccessToken"
  case refreshToken = "RefreshToken"
  case idToken = "IdToken"
  case account = "Account"
  case appMetadata = "AppMetadata"
  /// Who is signed in, per client: MSAL for Apple platforms keeps it beside the tokens, the shared file has no name for
  /// it. Other libraries leave unknown parts alone.
  case accountMetadata = "AccountMetadata"
}

/// One part: entries by key, in order, whatever they are, with an index by account so that a look-up costs the same among
/// ten accounts and among a hundred thousand.
struct CacheSection: Sendable {
  private(set) var entries: OrderedDictionary<String, JSON> = [:]
  private var keysByAccount: [String: [String]] = [:]

  init() {}

  init(_ members: OrderedDictionary<String, JSON>) {
    entries = members
    for (key, entry) in members { index(key, entry) }
  }

  subscript(key: String) -> JSON? { entries[key] }

  /// The entries of an account, in the order in which they were added.
  /// - Parameter homeAccountID: trimmed and in lower case.
  func entries(ofAccount homeAccountID: String) -> [(key: String, entry: JSON)] {
    (keysByAccount[homeAccountID] ?? []).compactMap { key in entries[key].map { (key, $0) } }
  }

  mutating func put(_ entry: JSON, at key: String) {
    if let old = entries[key] { unindex(key, old) }
    entries[key] = entry
    index(key, entry)
  }

  mutating func remove(_ key: String) {
    guard let old = entries.removeValue(forKey: key) else { return }
    unindex(key, old)
  }

  private mutating func index(_ key: String, _ entry: JSON) {
    guard let account = Self.account(of: entry) else { return }
    keysByAccount[account, default: []].append(key)
  }

  private mutating func unindex(_ key: String, _ entry: JSON) {
    guard let account = Self.account(of: entry) else { return }
    keysByAccount[account]?.removeAll { $0 == key }
  }

  private static func account(of entry: JSON) -> String? {
    entry["home_account_id"]?.string.map { CacheKey.normal($0) }
  }
}
