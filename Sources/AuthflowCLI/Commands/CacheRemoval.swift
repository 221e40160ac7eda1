import Documents
import OrderedCollections
import TokenCache

/// Removes entries from the token cache, and counts the removed entries.
struct CacheRemoval: Equatable {
  private(set) var removed = EntryCounts()
  private(set) var isUnknownAccount = false
  /// The client IDs in the cache if the selected app is not among them, or nil otherwise.
  private(set) var cachedClients: Set<String>?
  /// The names of unknown sections, which are never removed.
  private(set) var unknownSections: [String] = []

  /// Removes entries from the members of a cache.
  /// - Parameters:
  ///   - account: A username or home account ID (case-insensitive), or nil for all accounts.
  ///   - client: A client ID, or nil for all apps.
  init(from members: inout JSON.Members, account: String?, client: String?) {
    if let client {
      let cached = Self.clients(in: members)
      guard cached.contains(where: { Self.normal($0) == Self.normal(client) }) else {
        cachedClients = cached
        return
      }
    }
    var ids: Set<String>?
    if let account {
      let matches = Self.homeAccountIDs(of: account, in: members)
      guard !matches.isEmpty else {
        isUnknownAccount = true
        return
      }
      ids = matches
    }
    let accountsWithTokens = Self.accountsWithTokens(in: members)
    unknownSections = UnknownSections.names(in: members)
    for section in CacheSectionName.allCases {
      guard var entries = members[section.rawValue]?.object else { continue }
      let count = entries.count
      if section == .accountMetadata, let ids {
        removeMetadata(of: ids, client, &entries)
      } else {
        entries = entries.filter { !Self.isSelected($0.value, section, ids, client) }
        removed.add(section, count: count - entries.count)
      }
      members[section.rawValue] = entries.isEmpty ? nil : .object(entries)
    }
    if ids == nil, client != nil {
      removeAccounts(accountsWithTokens.subtracting(Self.accountsWithTokens(in: members)), &members)
    }
    // authflow recognizes a file as a token cache only if the value of at least one section is an object.
    let hasSection = CacheSectionName.allCases.contains { members[$0.rawValue] != nil }
    if !hasSection, unknownSections.contains(where: { members[$0]?.object == nil }) {
      members[CacheSectionName.accessToken.rawValue] = [:]
    }
  }

  private static func isSelected(_ entry: JSON, _ section: CacheSectionName, _ ids: Set<String>?, _ client: String?)
    -> Bool
  {
    if let ids {
      guard let id = entry["home_account_id"]?.string, ids.contains(normal(id)) else { return false }
      // All apps share account records, so remove the records only if no app is selected.
      if section == .account { return client == nil }
    }
    guard let client else { return true }
    return entry["client_id"]?.string.map(normal) == normal(client)
  }

  /// Removes accounts from the apps' account metadata.
  private mutating func removeMetadata(of ids: Set<String>, _ client: String?, _ entries: inout JSON.Members) {
    for (key, entry) in entries {
      if let client, entry["client_id"]?.string.map(Self.normal) != Self.normal(client) { continue }
      guard let accounts = entry["account_metadata_map"]?.object else { continue }
      let remaining = accounts.filter { !ids.contains(Self.normal($0.key)) }
      guard remaining.count < accounts.count else { continue }
      var entry = entry
      entry["account_metadata_map"] = .object(remaining)
      entries[key] = entry
      removed.add(.accountMetadata, count: accounts.count - remaining.count)
    }
  }

  /// Removes the records of accounts whose last token was removed.
  private mutating func removeAccounts(_ ids: Set<String>, _ members: inout JSON.Members) {
    guard let accounts = members[CacheSectionName.account.rawValue]?.object else { return }
    let remaining = accounts.filter {
      $0.value["home_account_id"]?.string.map { !ids.contains(Self.normal($0)) } ?? true
    }
    removed.add(.account, count: accounts.count - remaining.count)
    members[CacheSectionName.account.rawValue] = remaining.isEmpty ? nil : .object(remaining)
  }

  private static func entries(
    of sections: [CacheSectionName] = CacheSectionName.allCases, in members: JSON.Members
  ) -> [JSON] {
    sections.flatMap { members[$0.rawValue]?.object?.values.elements ?? [] }
  }

  /// Returns the normalized home account IDs that have tokens.
  private static func accountsWithTokens(in members: JSON.Members) -> Set<String> {
    let tokens = entries(of: [.accessToken, .refreshToken, .idToken], in: members)
    return Set(tokens.compactMap { $0["home_account_id"]?.string.map(normal) })
  }

  /// Returns the client IDs of all entries.
  private static func clients(in members: JSON.Members) -> Set<String> {
    Set(entries(in: members).compactMap { $0["client_id"]?.string }.filter { !normal($0).isEmpty })
  }

  /// Returns the normalized home account IDs that match a username or home account ID.
  private static func homeAccountIDs(of account: String, in members: JSON.Members) -> Set<String> {
    let account = normal(account)
    return Set(
      entries(in: members).compactMap { entry in
        guard let id = entry["home_account_id"]?.string.map(normal) else { return nil }
        return id == account || entry["username"]?.string.map(normal) == account ? id : nil
      })
  }

  private static func normal(_ text: String) -> String { CacheKey.normalized(text) }

  var json: JSON { ["removed": removed.json, "unknownSections": .array(unknownSections.map { .string($0) })] }

  func summary(location: String) -> String {
    let text =
      removed.total == 0 ? "nothing to remove from \(location)" : "removed \(removed.description) from \(location)"
    return unknownSections.isEmpty
      ? text : text + "\nnot removed: " + UnknownSections.description(unknownSections)
  }
}
