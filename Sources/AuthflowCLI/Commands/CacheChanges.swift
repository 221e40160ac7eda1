import Documents
import OrderedCollections
import TokenCache

/// Entries counted by their section, and told.
struct EntryCount: Equatable {
  private var counts: [CacheSectionName: Int] = [:]

  mutating func add(_ section: CacheSectionName, _ number: Int = 1) { counts[section, default: 0] += number }

  var total: Int { counts.values.reduce(0, +) }

  /// `2 accounts, 1 access token`
  var words: String {
    let parts = CacheSectionName.allCases.compactMap { section -> String? in
      guard let count = counts[section], count > 0 else { return nil }
      return "\(count) \(section.words)\(count == 1 || section.words.hasSuffix("data") ? "" : "s")"
    }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }

  var json: JSON {
    var json: JSON = [:]
    for (section, count) in counts { json[section.rawValue] = .integer(Int64(count)) }
    return json
  }
}

extension CacheSectionName {
  /// What one entry is called.
  var words: String {
    switch self {
    case .accessToken: "access token"
    case .refreshToken: "refresh token"
    case .idToken: "ID token"
    case .account: "account record"
    case .appMetadata: "app metadata"
    case .accountMetadata: "account metadata"
    }
  }
}

/// What an import did.
struct CacheMerge: Equatable {
  private(set) var added = EntryCount()
  private(set) var changed = EntryCount()
  private(set) var unchanged = EntryCount()
  /// Entries that are newer in the cache than in the file.
  private(set) var kept = EntryCount()
  private(set) var forgotten = EntryCount()

  /// Puts the file's entries into the cache's members. What is in neither's known sections stays.
  init(of source: JSON.Members, into members: inout JSON.Members, replacing: Bool) {
    if replacing {
      for section in CacheSectionName.allCases {
        let old = members.removeValue(forKey: section.rawValue)?.object ?? [:]
        if !old.isEmpty { forgotten.add(section, old.count) }
      }
    }
    for section in CacheSectionName.allCases {
      guard let entries = source[section.rawValue]?.object, !entries.isEmpty else { continue }
      var target = members[section.rawValue]?.object ?? [:]
      for (key, entry) in entries { merge(entry, at: key, in: section, &target) }
      members[section.rawValue] = .object(target)
    }
  }

  private mutating func merge(
    _ entry: JSON, at key: String, in section: CacheSectionName, _ target: inout JSON.Members
  ) {
    guard let old = target[key] else {
      target[key] = entry
      return added.add(section)
    }
    guard old != entry else { return unchanged.add(section) }
    if let ours = Self.moment(of: old), let theirs = Self.moment(of: entry), ours > theirs { return kept.add(section) }
    // Fields that only this cache knows stay, as they would when another MSAL writes the entry.
    var merged = old.object ?? [:]
    for (name, value) in entry.object ?? [:] { merged[name] = value }
    guard JSON.object(merged) != old else { return unchanged.add(section) }
    target[key] = entry.object == nil ? entry : .object(merged)
    changed.add(section)
  }

  /// When a token came, in seconds.
  private static func moment(of entry: JSON) -> Double? {
    for name in ["cached_at", "last_modification_time"] {
      if let value = entry[name], let seconds = value.string.flatMap({ Double($0) }) ?? value.number { return seconds }
    }
    return nil
  }

  var json: JSON {
    [
      "added": added.json, "changed": changed.json, "unchanged": unchanged.json, "kept": kept.json,
      "forgotten": forgotten.json,
    ]
  }

  func words(place: String) -> String {
    var lines: [String] = []
    if forgotten.total > 0 { lines.append("forgot \(forgotten.words)") }
    if added.total > 0 { lines.append("added \(added.words)") }
    if changed.total > 0 { lines.append("changed \(changed.words)") }
    if kept.total > 0 { lines.append("kept \(kept.words): newer than the file's") }
    if unchanged.total > 0 { lines.append("the same already: \(unchanged.words)") }
    if lines.isEmpty { lines.append("nothing was in the file") }
    return (lines + ["in \(place)"]).joined(separator: "\n")
  }
}

/// What a clearing removed.
struct CacheRemoval: Equatable {
  private(set) var removed = EntryCount()
  private(set) var isUnknownAccount = false

  /// Nothing was there.
  init() {}

  /// - Parameters:
  ///   - account: a username or an identifier, in any case; nil for all.
  ///   - client: a client id; nil for all.
  init(from members: inout JSON.Members, account: String?, client: String?) {
    var ids: Set<String>?
    if let account {
      let found = Self.identifiers(of: account, in: members)
      guard !found.isEmpty else {
        isUnknownAccount = true
        return
      }
      ids = found
    }
    for section in CacheSectionName.allCases {
      guard var entries = members[section.rawValue]?.object else { continue }
      let count = entries.count
      if section == .accountMetadata, let ids {
        removeMetadata(of: ids, client, &entries)
      } else {
        entries = entries.filter { !Self.isMeant($0.value, section, ids, client) }
        removed.add(section, count - entries.count)
      }
      // An account that no app has a token for any more is none.
      members[section.rawValue] = entries.isEmpty ? nil : .object(entries)
    }
    if ids == nil, client != nil { removeOrphans(&members) }
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

  private mutating func removeOrphans(_ members: inout JSON.Members) {
    var alive: Set<String> = []
    for section in [CacheSectionName.accessToken, .refreshToken, .idToken] {
      for entry in members[section.rawValue]?.object?.values.elements ?? [] {
        if let id = entry["home_account_id"]?.string { alive.insert(Self.normal(id)) }
      }
    }
    guard let accounts = members[CacheSectionName.account.rawValue]?.object else { return }
    let left = accounts.filter { $0.value["home_account_id"]?.string.map { alive.contains(Self.normal($0)) } ?? true }
    removed.add(.account, accounts.count - left.count)
    members[CacheSectionName.account.rawValue] = left.isEmpty ? nil : .object(left)
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

  var json: JSON { ["removed": removed.json] }

  func words(place: String) -> String {
    removed.total == 0 ? "nothing was there to remove, in \(place)" : "removed \(removed.words) from \(place)"
  }
}
