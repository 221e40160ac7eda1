import Documents
import OrderedCollections

/// Everything in a token cache, as a value: MSAL's unified schema in the JSON form that MSAL for Python, .NET and Go share.
///
/// What is not understood (parts, entries, fields) stays as it is. A copy costs nothing. Entries stay the text that they
/// were read as until they are asked for, and what was not changed is written as it was read.
package struct CacheContents: Sendable {
  /// One member of the file's object.
  private enum Part: Sendable {
    case entries(EntrySet)
    case metadata(MetadataSection)
    /// What is none of the sections, as its text.
    case other(CacheText, Range<Int>)
  }

  private var parts: OrderedDictionary<String, Part> = [:]
  /// What was changed since the contents were read.
  package private(set) var changes: [CacheChange] = []

  package init() {}

  /// Reads a cache file; no bytes at all are an empty cache.
  /// - Throws: `.corrupt` where it is no JSON, or something else than a cache.
  package init(bytes: [UInt8]) throws(TokenCacheFailure) {
    guard !bytes.isEmpty else { return }
    guard bytes.count <= CacheText.limit else {
      throw .corrupt(reason: "it has more than \(CacheText.limit) bytes")
    }
    let text = CacheText(bytes)
    do throws(JSONScanner.SyntaxError) {
      parts = try text.scan(0..<bytes.count) { (scanner) throws(JSONScanner.SyntaxError) in
        try Self.read(text, &scanner)
      }
    } catch {
      throw .corrupt(reason: "\(error.message) (\(text.place(of: error.offset)))")
    }
    try checkIsCache(text)
  }

  private static func read(
    _ text: CacheText, _ scanner: inout JSONScanner
  ) throws(JSONScanner.SyntaxError) -> OrderedDictionary<String, Part> {
    var parts: OrderedDictionary<String, Part> = [:]
    // Windows' tools put a byte order mark before UTF-8.
    if text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner.skip(3) }
    scanner.skipSpace()
    try scanner.members { (scanner, name) throws(JSONScanner.SyntaxError) in
      let name = scanner.text(of: name)
      let start = scanner.index
      guard let section = CacheSectionName(rawValue: name), scanner.byte == UInt8(ascii: "{") else {
        try scanner.value(depth: 1)
        // A section that is null holds nothing, as in MSAL for .NET.
        let isNone = CacheSectionName(rawValue: name) != nil && text.bytes[start] == UInt8(ascii: "n")
        parts[name] = isNone ? nil : .other(text, start..<scanner.index)
        return
      }
      parts[name] =
        section == .accountMetadata
        ? .metadata(try MetadataSection(text, &scanner)) : .entries(EntrySet(try EntryTable(text, &scanner)))
    }
    scanner.skipSpace()
    guard scanner.isAtEnd else { throw scanner.mistake("there is more behind the object") }
    return parts
  }

  /// A file of another program is not to be written into: one whose sections are no objects, or that has no section and
  /// holds what is no part of a cache.
  private func checkIsCache(_ text: CacheText) throws(TokenCacheFailure) {
    var hasSection = false
    for (name, part) in parts {
      guard case .other(_, let range) = part else {
        hasSection = true
        continue
      }
      if CacheSectionName(rawValue: name) != nil {
        throw .corrupt(reason: "its \(name) is \(Self.typeName(text, range)) where an object is expected")
      }
    }
    guard !hasSection else { return }
    for (name, part) in parts {
      guard case .other(_, let range) = part, text.bytes[range.lowerBound] != UInt8(ascii: "{") else { continue }
      throw .corrupt(
        reason:
          "it has no part of a token cache, and its \(name) is \(Self.typeName(text, range)): another program's file")
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

  /// The file's text, in the order in which it was read.
  package var bytes: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(sizeHint)
    text.append(UInt8(ascii: "{"))
    for (index, (name, part)) in parts.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += JSON.string(name).text().utf8
      text.append(UInt8(ascii: ":"))
      switch part {
      case .entries(let entries): entries.write(to: &text)
      case .metadata(let metadata): metadata.write(to: &text)
      case .other(let source, let range): text += source.bytes[range]
      }
    }
    text.append(UInt8(ascii: "}"))
    return text
  }

  private var sizeHint: Int {
    parts.values.reduce(64) { size, part in
      switch part {
      case .entries(let entries): size + entries.sizeHint
      case .metadata(let metadata): size + metadata.sizeHint
      case .other(_, let range): size + range.count + 64
      }
    }
  }

  /// How many changes lie over the text that was read: reading what was written anew frees them.
  var changeCount: Int {
    parts.values.reduce(0) { count, part in
      switch part {
      case .entries(let entries): count + entries.changeCount
      case .metadata(let metadata): count + metadata.changeCount
      case .other: count
      }
    }
  }

  // MARK: Entries

  /// All entries of one part as an object, in order. With many accounts, `forEachEntry` is cheaper.
  package func section(_ name: CacheSectionName) -> JSON {
    var members: OrderedDictionary<String, JSON> = [:]
    forEachEntry(name) { members[$0] = $1 }
    return .object(members)
  }

  /// Calls `body` with each entry of one part, in order.
  package func forEachEntry(_ name: CacheSectionName, _ body: (_ key: String, _ entry: JSON) throws -> Void) rethrows {
    switch parts[name.rawValue] {
    case .entries(let entries): try entries.forEach(body)
    case .metadata(let metadata): try metadata.forEach(body)
    case .other, nil: break
    }
  }

  /// How many entries one part has.
  package func count(_ name: CacheSectionName) -> Int {
    switch parts[name.rawValue] {
    case .entries(let entries): entries.count
    case .metadata(let metadata): metadata.count
    case .other, nil: 0
    }
  }

  /// The names of parts that are none of the sections; they stay as they are.
  package var unknownParts: [String] {
    parts.compactMap { if case .other = $0.value { $0.key } else { nil } }
  }

  func keys(_ name: CacheSectionName) -> [String] {
    if case .entries(let entries)? = parts[name.rawValue] { entries.keys } else { [] }
  }

  func entry(_ name: CacheSectionName, _ key: String) -> JSON? {
    if case .entries(let entries)? = parts[name.rawValue] { entries[key] } else { nil }
  }

  /// The entries of an account in one part that are objects, as records.
  func records<Record: CacheRecord>(
    _ name: CacheSectionName, ofAccount homeAccountID: String, as type: Record.Type
  ) -> [(key: String, record: Record)] {
    guard case .entries(let entries)? = parts[name.rawValue] else { return [] }
    return entries.entries(ofAccount: CacheKey.normal(homeAccountID)).compactMap { key, entry in
      entry.object.map { (key, Record(fields: $0)) }
    }
  }

  /// All entries of one part that are objects, as records.
  func records<Record: CacheRecord>(_ name: CacheSectionName, as type: Record.Type) -> [(key: String, record: Record)] {
    var records: [(key: String, record: Record)] = []
    forEachEntry(name) { key, entry in
      if let fields = entry.object { records.append((key, Record(fields: fields))) }
    }
    return records
  }

  /// Writes a record, keeping what the old entry of that key holds beyond it. Writing the same again changes nothing.
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
    // Taken out meanwhile, so that it is not copied.
    guard case .entries(var entries) = parts[name.rawValue] ?? .entries(EntrySet()) else { return }
    parts[name.rawValue] = .entries(EntrySet())
    body(&entries)
    parts[name.rawValue] = .entries(entries)
  }

  // MARK: What clients know of their accounts

  private var metadata: MetadataSection? {
    if case .metadata(let metadata)? = parts[CacheSectionName.accountMetadata.rawValue] { metadata } else { nil }
  }

  /// The keys of the clients that know something of accounts.
  var metadataKeys: [String] { metadata.map { Array($0.clients.keys) } ?? [] }

  func clientMetadata(_ key: String) -> ClientMetadata? { metadata?[key] }

  /// Lets `body` change what a client knows; nil where it knows nothing yet, or shall know nothing any more.
  /// - Parameter body: says whether it changed anything.
  mutating func changeClientMetadata(_ key: String, _ body: (inout ClientMetadata?) -> Bool) {
    let name = CacheSectionName.accountMetadata.rawValue
    var metadata = metadata ?? MetadataSection()
    // Taken out meanwhile, so that it is not copied.
    parts[name] = .metadata(MetadataSection())
    let isNew = metadata[key] == nil
    var client = metadata.take(key)
    client?.forgetChanges()
    if body(&client) {
      let kind: CacheChange.Kind = client == nil ? .deleted : isNew ? .added : .changed
      changes.append(
        CacheChange(kind: kind, section: .accountMetadata, key: key, entry: client?.changedJSON ?? .object([:])))
    }
    metadata[key] = client
    parts[name] = .metadata(metadata)
  }

  mutating func forgetChanges() { changes = [] }
}
