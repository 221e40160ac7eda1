import Documents
import OrderedCollections
import TokenCache

/// What a clearing removed.
struct CacheRemoval: Equatable {
  private(set) var removed = EntryCounts()
  private(set) var isUnknownAccount = false
  /// Where no entry is of the app that was named: the apps that have one.
  private(set) var knownClients: Set<String>?

  /// Parts that authflow does not know: they stay.
  private(set) var left: [String] = []

  /// Nothing was there.
  init() {}

  /// - Parameters:
  ///   - account: a username or an identifier, in any case; nil for all.
  ///   - client: a client id; nil for all.
  init(from members: inout JSON.Members, account: String?, client: String?) {
    if let client {
      let known = Self.clients(in: members)
      guard known.contains(where: { Self.normal($0) == Self.normal(client) }) else {
        knownClients = known
        return
      }
    }
    var ids: Set<String>?
    if let account {
      let found = Self.identifiers(of: account, in: members)
      guard !found.isEmpty else {
        isUnknownAccount = true
        return
      }
      ids = found
    }
    let owners = Self.owners(in: members)
    left = UnknownSections.names(in: members)
    for section in CacheSectionName.allCases {
      guard var entries = members[section.rawValue]?.object else { continue }
      let count = entries.count
      if section == .accountMetadata, let ids {
        removeMetadata(of: ids, client, &entries)
      } else {
        entries = entries.filter { !Self.isMeant($0.value, section, ids, client) }
        removed.add(section, count - entries.count)
      }
      members[section.rawValue] = entries.isEmpty ? nil : .object(entries)
    }
    if ids == nil, client != nil { removeOrphans(owners.subtracting(Self.owners(in: members)), &members) }
    // A file of nothing but values that are no objects would be taken for another program's.
    let isBare = !CacheSectionName.allCases.contains { members[$0.rawValue] != nil }
    if isBare, left.contains(where: { members[$0]?.object == nil }) {
      members[CacheSectionName.accessToken.rawValue] = [:]
    }
  }

  private static func isMeant(_ entry: JSON, _ section: CacheSectionName, _ ids: Set<String>?, _ client: String?)
    -> Bool
  {
    if let ids {
      guard let id = entry["home_account_id"]?.string, ids.contains(normal(id)) else { return false }
      // The account's own record belongs to no app.
      if section == .account { return client == nil }
    }
    guard let client else { return true }
    return entry["client_id"]?.string.map(normal) == normal(client)
  }

  /// Accounts stand one below another in an app's metadata.
  private mutating func removeMetadata(of ids: Set<String>, _ client: String?, _ entries: inout JSON.Members) {
    for (key, entry) in entries {
      if let client, entry["client_id"]?.string.map(Self.normal) != Self.normal(client) { continue }
      guard let accounts = entry["account_metadata_map"]?.object else { continue }
      let left = accounts.filter { !ids.contains(Self.normal($0.key)) }
      guard left.count < accounts.count else { continue }
      var entry = entry
      entry["account_metadata_map"] = .object(left)
      entries[key] = entry
      removed.add(.accountMetadata, accounts.count - left.count)
    }
  }

  /// An account that no app has a token for any more is none; those that had none before are no business of this.
  private mutating func removeOrphans(_ orphans: Set<String>, _ members: inout JSON.Members) {
    guard let accounts = members[CacheSectionName.account.rawValue]?.object else { return }
    let left = accounts.filter {
      $0.value["home_account_id"]?.string.map { !orphans.contains(Self.normal($0)) } ?? true
    }
    removed.add(.account, accounts.count - left.count)
    members[CacheSectionName.account.rawValue] = left.isEmpty ? nil : .object(left)
  }

  /// The accounts that there are tokens for.
  private static func owners(in members: JSON.Members) -> Set<String> {
    var owners: Set<String> = []
    for section in [CacheSectionName.accessToken, .refreshToken, .idToken] {
      for entry in members[section.rawValue]?.object?.values.elements ?? [] {
        if let id = entry["home_account_id"]?.string { owners.insert(normal(id)) }
      }
    }
    return owners
  }

  /// The apps that something is kept for.
  private static func clients(in members: JSON.Members) -> Set<String> {
    var clients: Set<String> = []
    for section in CacheSectionName.allCases {
      for entry in members[section.rawValue]?.object?.values.elements ?? [] {
        if let client = entry["client_id"]?.string, !normal(client).isEmpty { clients.insert(client) }
      }
    }
    return clients
  }

  private static func identifiers(of account: String, in members: JSON.Members) -> Set<String> {
    let wanted = normal(account)
    var ids: Set<String> = []
    for section in CacheSectionName.allCases {
      for entry in members[section.rawValue]?.object?.values.elements ?? [] {
        guard let id = entry["home_account_id"]?.string else { continue }
        if normal(id) == wanted || entry["username"]?.string.map(normal) == wanted { ids.insert(normal(id)) }
      }
    }
    return ids
  }

  private static func normal(_ text: String) -> String { CacheKey.normal(text) }

  var json: JSON { ["removed": removed.json, "unknownParts": .array(left.map { .string($0) })] }

  func words(place: String) -> String {
    let words =
      removed.total == 0 ? "nothing was there to remove, in \(place)" : "removed \(removed.words) from \(place)"
    return left.isEmpty ? words : words + "\n" + UnknownSections.leftWords(left)
  }
}
