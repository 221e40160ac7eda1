import Documents
import OrderedCollections

/// Everything in a token cache, as a value: MSAL's unified schema in the JSON form that MSAL for Python, .NET and Go share.
///
/// What is not understood (parts, entries, fields) stays as it is.
package struct CacheContents: Sendable {
  private var sections: [CacheSectionName: CacheSection] = [:]
  /// Parts of the file that are none of the sections, or are no objects.
  private var others: OrderedDictionary<String, JSON> = [:]
  /// What was changed since the contents were read.
  package private(set) var changes: [CacheChange] = []

  package init() {}

  /// Reads a cache file; no bytes at all are an empty cache.
  package init(bytes: [UInt8]) throws(TokenCacheFailure) {
    guard !bytes.isEmpty else { return }
    let json: JSON
    do {
      json = try JSON(parsing: bytes)
    } catch {
      throw .corrupt(reason: "it is no JSON: \(error)")
    }
    guard let members = json.object else {
      throw .corrupt(
        reason: "it holds \(json.typeName == "null" ? "nothing" : json.typeName) where an object is expected")
    }
    for (name, value) in members {
      if let section = CacheSectionName(rawValue: name), let entries = value.object {
        sections[section] = CacheSection(entries)
      } else {
        others[name] = value
      }
    }
  }

  /// The file's text, in the order in which it was read.
  package var bytes: [UInt8] {
    var members: OrderedDictionary<String, JSON> = [:]
    for name in CacheSectionName.allCases {
      // A part that was not understood stands in the place of the section of its name, until something must be written there.
      if let section = sections[name] { members[name.rawValue] = .object(section.entries) }
    }
    for (name, value) in others where members[name] == nil { members[name] = value }
    return Array(JSON.object(members).text(sortedKeys: false).utf8)
  }

  /// All entries of one part as an object, in order.
  package func section(_ name: CacheSectionName) -> JSON { .object(entries(name)) }

  /// How many entries one part has.
  package func count(_ name: CacheSectionName) -> Int { entries(name).count }

  func entries(_ name: CacheSectionName) -> OrderedDictionary<String, JSON> { sections[name]?.entries ?? [:] }

  func entry(_ name: CacheSectionName, _ key: String) -> JSON? { sections[name]?[key] }

  /// The entries of an account in one part that are objects, as records.
  func records<Record: CacheRecord>(
    _ name: CacheSectionName, ofAccount homeAccountID: String, as type: Record.Type
  ) -> [(key: String, record: Record)] {
    (sections[name]?.entries(ofAccount: CacheKey.normal(homeAccountID)) ?? []).compactMap { key, entry in
      entry.object.map { (key, Record(fields: $0)) }
    }
  }

  /// All entries of one part that are objects, as records.
  func records<Record: CacheRecord>(_ name: CacheSectionName, as type: Record.Type) -> [(key: String, record: Record)] {
    entries(name).compactMap { key, entry in entry.object.map { (key, Record(fields: $0)) } }
  }

  /// Writes a record, keeping what the old entry of that key holds beyond it. Writing the same again changes nothing.
  mutating func put<Record: CacheRecord>(_ record: Record, at key: String, in name: CacheSectionName) {
    let old = entry(name, key)
    let new = record.keepingUnknownFields(of: old).json
    guard old != new else { return }
    sections[name, default: CacheSection()].put(new, at: key)
    changes.append(CacheChange(kind: old == nil ? .added : .changed, section: name, key: key, entry: new))
  }

  mutating func remove(_ key: String, from name: CacheSectionName) {
    guard let old = entry(name, key) else { return }
    sections[name]?.remove(key)
    changes.append(CacheChange(kind: .deleted, section: name, key: key, entry: old))
  }

  mutating func forgetChanges() { changes = [] }
}
