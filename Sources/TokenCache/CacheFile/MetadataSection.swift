import Documents
import OrderedCollections

/// The `AccountMetadata` section, which contains one entry per client.
struct MetadataSection: Sendable {
  /// The entries in other formats, which the cache preserves.
  private var others = EntrySet()
  private(set) var clients: OrderedDictionary<String, ClientMetadata> = [:]

  init() {}

  /// Reads the object at the scanner's position.
  init(_ text: CacheText, _ scanner: inout JSONScanner) throws(JSONScanner.SyntaxError) {
    let table = try EntryTable(text, &scanner)
    others = EntrySet(table)
    for index in table.entries.indices where table.isCurrent(index) {
      let client = try text.scan(table.entries[index].value) { (scanner) throws(JSONScanner.SyntaxError) in
        try ClientMetadata(text, &scanner)
      }
      guard let client else { continue }
      let key = table.key(index)
      clients[key] = client
      others.remove(key)
    }
  }

  var count: Int { clients.count + others.count }

  var changeCount: Int { clients.values.reduce(0) { $0 + $1.accounts.changeCount } }

  var sizeHint: Int { clients.values.reduce(others.sizeHint) { $0 + $1.accounts.sizeHint + 1_024 } }

  subscript(key: String) -> ClientMetadata? {
    get { clients[key] }
    set {
      // The new value replaces an entry in another format with the same key.
      if newValue != nil { others.remove(key) }
      clients[key] = newValue
    }
  }

  /// Removes the value of an entry so that it can be changed, but keeps the entry's position.
  mutating func removeValue(forKey key: String) -> ClientMetadata? {
    guard let index = clients.index(forKey: key) else { return nil }
    var removed = ClientMetadata()
    swap(&clients.values[index], &removed)
    return removed
  }

  func forEach(_ body: (_ key: String, _ entry: JSON) throws -> Void) rethrows {
    for (key, client) in clients { try body(key, client.json) }
    try others.forEach(body)
  }

  func write(to text: inout [UInt8]) {
    text.append(UInt8(ascii: "{"))
    for (index, (key, client)) in clients.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text += JSON.string(key).text().utf8
      text.append(UInt8(ascii: ":"))
      client.write(to: &text)
    }
    others.forEach { key, entry in
      if text.last != UInt8(ascii: "{") { text.append(UInt8(ascii: ",")) }
      text += JSON.string(key).text().utf8
      text.append(UInt8(ascii: ":"))
      text += entry.text(sortedKeys: false).utf8
    }
    text.append(UInt8(ascii: "}"))
  }
}
