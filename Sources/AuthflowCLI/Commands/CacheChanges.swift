import Diagnostics
import Documents
import OrderedCollections
import TokenCache

/// The number of cache entries in each section.
struct EntryCounts: Equatable {
  private var counts: [CacheSectionName: Int] = [:]

  mutating func add(_ section: CacheSectionName, count: Int = 1) { counts[section, default: 0] += count }

  var total: Int { counts.values.reduce(0, +) }

  /// The counts as text, for example `2 account records, 1 access token`.
  var description: String {
    let parts = CacheSectionName.allCases.compactMap { section -> String? in
      guard let count = counts[section], count > 0 else { return nil }
      return section.isMetadata ? "\(count) \(section.entryName)" : count.counting(section.entryName)
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
  /// The singular name for an entry of this section, in lowercase.
  var entryName: String {
    switch self {
    case .accessToken: "access token"
    case .refreshToken: "refresh token"
    case .idToken: "ID token"
    case .account: "account record"
    case .appMetadata: "app metadata"
    case .accountMetadata: "account metadata"
    }
  }

  fileprivate var isMetadata: Bool { self == .appMetadata || self == .accountMetadata }
}

/// Merges a cache file into the token cache, and counts the changes.
struct CacheMerge {
  private(set) var added = EntryCounts()
  private(set) var changed = EntryCounts()
  private(set) var unchanged = EntryCounts()
  /// The number of entries that are newer in the cache than in the file.
  private(set) var newer = EntryCounts()
  private(set) var removed = EntryCounts()
  /// The unknown sections that were copied from the file.
  private(set) var copiedSections: [String] = []
  /// The unknown sections with different values in the cache and in the file.
  private(set) var conflictingSections: [String] = []
  /// The malformed entries in the file.
  private(set) var skipped: [(section: CacheSectionName, key: String, reason: String)] = []

  /// Merges the members of a cache file into the members of the cache.
  /// - Parameter replacing: Whether to remove the existing cache entries first.
  init(of source: JSON.Members, into members: inout JSON.Members, replacing: Bool) {
    if replacing {
      for section in CacheSectionName.allCases {
        let old = members.removeValue(forKey: section.rawValue)?.object ?? [:]
        if !old.isEmpty { removed.add(section, count: old.count) }
      }
    }
    for section in CacheSectionName.allCases {
      guard let entries = source[section.rawValue]?.object, !entries.isEmpty else { continue }
      var target = members[section.rawValue]?.object ?? [:]
      for (key, entry) in entries {
        if let reason = Self.defect(of: entry, in: section) {
          skipped.append((section, key, reason))
        } else {
          merge(entry, at: key, in: section, &target)
        }
      }
      members[section.rawValue] = target.isEmpty ? nil : .object(target)
    }
    let hasSection = CacheSectionName.allCases.contains { members[$0.rawValue] != nil }
    for (name, section) in source where CacheSectionName(rawValue: name) == nil {
      // Copying only a non-object section would create a file that authflow does not recognize as a token cache.
      if hasSection || section.object != nil { copy(section, named: name, into: &members, replacing: replacing) }
    }
  }

  /// Copies an unknown section. If `replacing` is false, existing values do not change.
  private mutating func copy(_ section: JSON, named name: String, into members: inout JSON.Members, replacing: Bool) {
    guard let old = members[name], !replacing else {
      members[name] = section
      return copiedSections.append(name)
    }
    guard old != section else { return }
    guard var merged = old.object, let new = section.object else { return conflictingSections.append(name) }
    for (key, value) in new {
      if merged[key] == nil {
        merged[key] = value
        if copiedSections.last != name { copiedSections.append(name) }
      } else if merged[key] != value, conflictingSections.last != name {
        conflictingSections.append(name)
      }
    }
    members[name] = .object(merged)
  }

  /// Returns the reason an entry is malformed, or nil if it is valid.
  private static func defect(of entry: JSON, in section: CacheSectionName) -> String? {
    guard let fields = entry.object else { return "not an object" }
    var required: [String] =
      switch section {
      case .accessToken, .refreshToken, .idToken: ["home_account_id", "environment", "secret"]
      case .account: ["home_account_id", "environment"]
      case .appMetadata, .accountMetadata: []
      }
    // An access token from the client credentials flow has no account.
    if section == .accessToken, let id = fields["home_account_id"], id.isNull || id == "" { required.removeFirst() }
    let missing = required.filter { fields[$0]?.string?.isEmpty ?? true }
    return missing.isEmpty ? nil : "missing \(missing.map { "`\($0)`" }.joined(separator: ", "))"
  }

  private mutating func merge(
    _ entry: JSON, at key: String, in section: CacheSectionName, _ target: inout JSON.Members
  ) {
    guard let old = target[key] else {
      target[key] = entry
      return added.add(section)
    }
    guard old != entry else { return unchanged.add(section) }
    if let cached = Self.cachingTime(of: old), let imported = Self.cachingTime(of: entry), cached > imported {
      return newer.add(section)
    }
    // Like MSAL libraries, preserve the unknown fields of an updated entry.
    var merged = old.object ?? [:]
    for (name, value) in entry.object ?? [:] { merged[name] = value }
    guard JSON.object(merged) != old else { return unchanged.add(section) }
    target[key] = entry.object == nil ? entry : .object(merged)
    changed.add(section)
  }

  /// Returns the time at which an entry was cached, in seconds since 1970, or nil if it is unknown.
  private static func cachingTime(of entry: JSON) -> Double? {
    ["cached_at", "last_modification_time"].lazy.compactMap { entry[$0]?.decimal }.first
  }

  var json: JSON {
    [
      "added": added.json, "changed": changed.json, "unchanged": unchanged.json, "newer": newer.json,
      "removed": removed.json, "copiedSections": .array(copiedSections.map { .string($0) }),
      "conflictingSections": .array(conflictingSections.map { .string($0) }),
      "skipped": .array(
        skipped.map { ["section": .string($0.section.rawValue), "key": .string($0.key), "reason": .string($0.reason)] }),
    ]
  }

  /// The messages for standard error.
  var warnings: [String] {
    skipped.map { section, key, reason in
      "warning: skipped \(section.rawValue) entry `\(CaretFrame.visible(key))`: \(reason)"
    }
      + conflictingSections.map {
        "warning: section `\(CaretFrame.visible($0))` differs in the file; existing values were not changed"
      }
  }

  /// Returns the result as text, with one line for each kind of change.
  func summary(location: String) -> String {
    var lines: [String] = []
    if removed.total > 0 { lines.append("removed \(removed.description)") }
    if added.total > 0 { lines.append("added \(added.description)") }
    if changed.total > 0 { lines.append("updated \(changed.description)") }
    if newer.total > 0 { lines.append("skipped \(newer.description): the cache has newer ones") }
    if unchanged.total > 0 { lines.append("unchanged: \(unchanged.description)") }
    if !copiedSections.isEmpty { lines.append("copied \(UnknownSections.description(copiedSections))") }
    if lines.isEmpty {
      lines.append(skipped.isEmpty && conflictingSections.isEmpty ? "the file contains no entries" : "imported nothing")
    }
    return (lines + ["cache: \(location)"]).joined(separator: "\n")
  }
}

extension JSON {
  /// The value of a number, or of a string that contains a number. MSAL libraries use both formats for times.
  var decimal: Double? { string.flatMap { Double($0) } ?? number }
}
