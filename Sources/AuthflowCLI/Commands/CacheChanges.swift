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
