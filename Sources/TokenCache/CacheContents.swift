import Documents
import OrderedCollections

/// The contents of a token cache: MSAL's unified schema in the JSON format that MSAL for Python, .NET, and Go share.
///
/// Preserves unknown sections, entries, and fields. Copies are cheap. Decodes entries on demand and writes unchanged
/// entries exactly as they were read.
package struct CacheContents: Sendable {
  /// A member of the top-level object in the file.
  private enum Section: Sendable {
    case entries(EntrySet)
    case metadata(MetadataSection)
    /// The text of an unknown section.
    case other(CacheText, Range<Int>)
  }

  private var sections: OrderedDictionary<String, Section> = [:]
  /// The changes since the contents were read.
  package private(set) var changes: [CacheChange] = []

  package init() {}

  /// Parses a cache file. An empty file is an empty cache.
  /// - Throws: `.corrupt` if the file is not JSON or not a token cache.
  package init(bytes: [UInt8]) throws(TokenCacheFailure) {
    guard !bytes.isEmpty else { return }
    guard bytes.count <= CacheText.limit else {
      throw .corrupt(reason: "the file has more than \(CacheText.limit) bytes")
    }
    let text = CacheText(bytes)
    do throws(JSONScanner.SyntaxError) {
      sections = try text.scan(0..<bytes.count) { (scanner) throws(JSONScanner.SyntaxError) in
        try Self.read(text, &scanner)
      }
    } catch {
      throw .corrupt(reason: "\(error.message) (\(text.position(of: error.offset)))")
    }
    try checkIsCache(text)
  }

  private static func read(
    _ text: CacheText, _ scanner: inout JSONScanner
  ) throws(JSONScanner.SyntaxError) -> OrderedDictionary<String, Section> {
    var sections: OrderedDictionary<String, Section> = [:]
    // Windows tools add a byte order mark to UTF-8.
    if text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.skip(3) }
    scanner.skipSpace()
    try scanner.members { (scanner, name) throws(JSONScanner.SyntaxError) in
      let name = scanner.text(of: name)
      let start = scanner.index
      guard let section = CacheSectionName(rawValue: name), scanner.byte == UInt8(ascii: "{") else {
        try scanner.value(depth: 1)
        // A section that is `null` counts as empty, as in MSAL.NET.
        let isNull = CacheSectionName(rawValue: name) != nil && text.bytes[start] == UInt8(ascii: "n")
        sections[name] = isNull ? nil : .other(text, start..<scanner.index)
        return
      }
      sections[name] =
        section == .accountMetadata
        ? .metadata(try MetadataSection(text, &scanner)) : .entries(EntrySet(try EntryTable(text, &scanner)))
    }
    scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.syntaxError("unexpected text after the object") }
    return sections
  }

  /// Rejects other programs' files, so that authflow does not overwrite them. A file counts as another program's file
  /// if a known section is not an object, or if there are no known sections and any value is not an object.
  private func checkIsCache(_ text: CacheText) throws(TokenCacheFailure) {
    var hasSection = false
    for (name, section) in sections {
      guard case .other(_, let range) = section else {
        hasSection = true
        continue
      }
      if CacheSectionName(rawValue: name) != nil {
        throw .corrupt(reason: "`\(name)` is \(Self.typeName(text, range)) instead of an object")
      }
    }
    guard !hasSection else { return }
    for (name, section) in sections {
      guard case .other(_, let range) = section, text.bytes[range.lowerBound] != UInt8(ascii: "{") else { continue }
      throw .corrupt(reason: "no token cache sections, and `\(name)` is \(Self.typeName(text, range))")
    }
  }

  private static func typeName(_ text: CacheText, _ range: Range<Int>) -> String {
    switch text.bytes[range.lowerBound] {
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "\""): "a string"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
    case UInt8(ascii: "n"): "null"
    default: "a number"
    }
  }

  /// The text of the file, with the sections in their original order.
  package var bytes: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(sizeHint)
    text.append(UInt8(ascii: "{"))
    for (index, (name, section)) in sections.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += JSON.string(name).text().utf8
      text.append(UInt8(ascii: ":"))
      switch section {
      case .entries(let entries): entries.write(to: &text)
      case .metadata(let metadata): metadata.write(to: &text)
      case .other(let source, let range): text += source.bytes[range]
      }
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private var sizeHint: Int {
    sections.values.reduce(64) { size, section in
      switch section {
      case .entries(let entries): size + entries.sizeHint
      case .metadata(let metadata): size + metadata.sizeHint
      case .other(_, let range): size + range.count + 64
      }
    }
  }

  /// The number of changes since the text was parsed. Parsing the written text again resets the number to zero.
  var changeCount: Int {
    sections.values.reduce(0) { count, section in
      switch section {
      case .entries(let entries): count + entries.changeCount
      case .metadata(let metadata): count + metadata.changeCount
      case .other: count
      }
    }
  }

  // MARK: - Entries

  /// Returns all entries in a section as an object, in order. If there are many accounts, `forEachEntry` is cheaper.
  package func section(_ name: CacheSectionName) -> JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    forEachEntry(name) { members[$0] = $1 }
    return .object(members)
  }

  /// Calls `body` with each entry of a section, in order.
  package func forEachEntry(_ name: CacheSectionName, _ body: (_ key: String, _ entry: JSON) throws -> Void) rethrows {
    switch sections[name.rawValue] {
    case .entries(let entries): try entries.forEach(body)
    case .metadata(let metadata): try metadata.forEach(body)
    case .other, nil: break
    }
  }

  /// Returns the number of entries in a section.
  package func count(_ name: CacheSectionName) -> Int {
    switch sections[name.rawValue] {
    case .entries(let entries): entries.count
    case .metadata(let metadata): metadata.count
    case .other, nil: 0
    }
  }

  /// The names of the unknown sections, which the cache preserves.
  package var unknownSections: [String] {
    sections.compactMap { if case .other = $0.value { $0.key } else { nil } }
  }

  func keys(_ name: CacheSectionName) -> [String] {
    if case .entries(let entries)? = sections[name.rawValue] { entries.keys } else { [] }
  }

  func entry(_ name: CacheSectionName, _ key: String) -> JSON? {
    if case .entries(let entries)? = sections[name.rawValue] { entries[key] } else { nil }
  }

  /// Returns an account's entries in a section as records. Skips entries that are not objects.
  func records<Record: CacheRecord>(
    _ name: CacheSectionName, ofAccount homeAccountID: String, as type: Record.Type
  ) -> [(key: String, record: Record)] {
    guard case .entries(let entries)? = sections[name.rawValue] else { return [] }
    return entries.entries(ofAccount: CacheKey.normalized(homeAccountID)).compactMap { key, entry in
      entry.object.map { (key, Record(fields: $0)) }
    }
  }

  /// Returns all entries of a section as records. Skips entries that are not objects.
  func records<Record: CacheRecord>(_ name: CacheSectionName, as type: Record.Type) -> [(key: String, record: Record)] {
    var records: [(key: String, record: Record)] = []
    forEachEntry(name) { key, entry in
      if let fields = entry.object { records.append((key, Record(fields: fields))) }
    }
    return records
  }

  /// Writes a record and preserves unknown fields of the old entry. Does not record a change if the new entry equals
  /// the old one.
  mutating func put<Record: CacheRecord>(_ record: Record, at key: String, in name: CacheSectionName) {
    let old = entry(name, key)
    let new = record.keepingUnknownFields(of: old).json
    guard old != new else { return }
    change(name) { $0.put(new, at: key) }
    changes.append(CacheChange(kind: old == nil ? .added : .changed, section: name, key: key, entry: new))
  }

  mutating func remove(_ key: String, from name: CacheSectionName) {
    guard let old = entry(name, key) else { return }
    change(name) { $0.remove(key) }
    changes.append(CacheChange(kind: .deleted, section: name, key: key, entry: old))
  }

  private mutating func change(_ name: CacheSectionName, _ body: (inout EntrySet) -> Void) {
    // Remove the set from the dictionary during the change, so that the set is not copied.
    guard case .entries(var entries) = sections[name.rawValue] ?? .entries(EntrySet()) else { return }
    sections[name.rawValue] = .entries(EntrySet())
    body(&entries)
    sections[name.rawValue] = .entries(entries)
  }

  // MARK: - Account metadata

  private var metadata: MetadataSection? {
    if case .metadata(let metadata)? = sections[CacheSectionName.accountMetadata.rawValue] { metadata } else { nil }
  }

  /// The keys of the clients with account metadata.
  var metadataKeys: [String] { metadata.map { Array($0.clients.keys) } ?? [] }

  func clientMetadata(_ key: String) -> ClientMetadata? { metadata?[key] }

  /// Changes the account metadata of a client.
  /// - Parameter body: A closure that changes the metadata and returns whether it changed. The metadata is nil if the
  ///   client has none. Setting the metadata to nil removes it.
  mutating func changeClientMetadata(_ key: String, _ body: (inout ClientMetadata?) -> Bool) {
    let name = CacheSectionName.accountMetadata.rawValue
    var metadata = metadata ?? MetadataSection()
    // Remove the section from the dictionary during the change, so that the section is not copied.
    sections[name] = .metadata(MetadataSection())
    let isNew = metadata[key] == nil
    var client = metadata.removeValue(forKey: key)
    client?.clearChanges()
    if body(&client) {
      let kind: CacheChange.Kind = client == nil ? .deleted : isNew ? .added : .changed
      changes.append(
        CacheChange(kind: kind, section: .accountMetadata, key: key, entry: client?.changedJSON ?? .object([:])))
    }
    metadata[key] = client
    sections[name] = .metadata(metadata)
  }

  mutating func clearChanges() { changes = [] }
}
