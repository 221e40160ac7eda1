import Diagnostics
import Documents
import OrderedCollections
import TokenCache

/// Entries counted by their section, and told.
struct EntryCounts: Equatable {
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
struct CacheMerge {
  private(set) var added = EntryCounts()
  private(set) var changed = EntryCounts()
  private(set) var unchanged = EntryCounts()
  /// Entries that are newer in the cache than in the file.
  private(set) var kept = EntryCounts()
  private(set) var forgotten = EntryCounts()
  /// Parts of the file that authflow does not know, and took over as they are.
  private(set) var carried: [String] = []
  /// Such parts of which the cache holds something else already.
  private(set) var conflicting: [String] = []
  /// What is no entry of its section, and why.
  private(set) var skipped: [(section: CacheSectionName, key: String, reason: String)] = []

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
      for (key, entry) in entries {
        if let reason = Self.flaw(of: entry, in: section) {
          skipped.append((section, key, reason))
        } else {
          merge(entry, at: key, in: section, &target)
        }
      }
      members[section.rawValue] = target.isEmpty ? nil : .object(target)
    }
    let hasSection = CacheSectionName.allCases.contains { members[$0.rawValue] != nil }
    for (name, part) in source where CacheSectionName(rawValue: name) == nil {
      // Without any section, a file with such a part would be taken for another program's.
      if hasSection || part.object != nil { carry(part, named: name, into: &members, replacing: replacing) }
    }
  }

  /// What is there stays; entries that are not there yet come in.
  private mutating func carry(_ part: JSON, named name: String, into members: inout JSON.Members, replacing: Bool) {
    guard let old = members[name], !replacing else {
      members[name] = part
      return carried.append(name)
    }
    guard old != part else { return }
    guard var united = old.object, let new = part.object else { return conflicting.append(name) }
    for (key, value) in new {
      if united[key] == nil {
        united[key] = value
        if carried.last != name { carried.append(name) }
      } else if united[key] != value, conflicting.last != name {
        conflicting.append(name)
      }
    }
    members[name] = .object(united)
  }

  /// Why something is no entry of a section; nil where it is one.
  private static func flaw(of entry: JSON, in section: CacheSectionName) -> String? {
    guard let fields = entry.object else { return "it is no object" }
    var needed: [String] = []
    switch section {
    case .accessToken, .refreshToken, .idToken: needed = ["home_account_id", "environment", "secret"]
    case .account: needed = ["home_account_id", "environment"]
    case .appMetadata, .accountMetadata: break
    }
    // An app's own access token belongs to no account.
    if section == .accessToken, let id = fields["home_account_id"], id.isNull || id == "" { needed.removeFirst() }
    let missing = needed.filter { fields[$0]?.string?.isEmpty ?? true }
    return missing.isEmpty ? nil : "it has no \(missing.joined(separator: ", "))"
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
      "forgotten": forgotten.json, "carriedParts": .array(carried.map { .string($0) }),
      "conflictingParts": .array(conflicting.map { .string($0) }),
      "skipped": .array(
        skipped.map { ["section": .string($0.section.rawValue), "key": .string($0.key), "reason": .string($0.reason)] }),
    ]
  }

  /// What is said on standard error.
  var warnings: [String] {
    skipped.map { section, key, reason in
      "warning: \(section.rawValue) \"\(CaretFrame.visible(key))\" was skipped: \(reason)"
    }
      + conflicting.map {
        "warning: \(CaretFrame.visible($0)) holds something else in the cache already, which was kept"
      }
  }

  func words(place: String) -> String {
    var lines: [String] = []
    if forgotten.total > 0 { lines.append("forgot \(forgotten.words)") }
    if added.total > 0 { lines.append("added \(added.words)") }
    if changed.total > 0 { lines.append("changed \(changed.words)") }
    if kept.total > 0 { lines.append("kept \(kept.words): newer than the file's") }
    if unchanged.total > 0 { lines.append("the same already: \(unchanged.words)") }
    if !carried.isEmpty { lines.append("took over \(UnknownSections.words(carried))") }
    if lines.isEmpty {
      lines.append(skipped.isEmpty && conflicting.isEmpty ? "nothing was in the file" : "took nothing over")
    }
    return (lines + ["in \(place)"]).joined(separator: "\n")
  }
}
