import Documents
import OrderedCollections

/// The account metadata entry of a client, with accounts indexed by ID.
///
/// With 100,000 accounts, the entry is tens of megabytes long. The index makes it possible to read or change an account
/// in constant time.
struct ClientMetadata: Sendable {
  static let mapField = "account_metadata_map"

  /// The fields of the entry, except the map of accounts.
  var fields: OrderedDictionary<String, JSON> = [:]
  /// The accounts by home account ID, trimmed and lowercased.
  private(set) var accounts = EntrySet()
  /// The accounts that the last change affected.
  private(set) var changedAccounts: OrderedSet<String> = []

  init() {}

  /// Reads the entry at the scanner's position. Returns nil if the entry has a different format. In that case, the
  /// scanner's position is unspecified.
  init?(_ text: CacheText, _ scanner: inout JSONScanner) throws(JSONScanner.SyntaxError) {
    guard scanner.byte == UInt8(ascii: "{") else { return nil }
    var fields: OrderedDictionary<String, JSON> = [:]
    var accounts: EntrySet?
    var isValid = true
    try scanner.members { (scanner, name) throws(JSONScanner.SyntaxError) in
      let name = scanner.text(of: name)
      guard name == Self.mapField else {
        fields[name] = try scanner.json(depth: 3)
        return
      }
      if scanner.byte == UInt8(ascii: "{") {
        accounts = EntrySet(try EntryTable(text, &scanner))
      } else {
        isValid = false
        try scanner.value(depth: 3)
      }
    }
    guard isValid else { return nil }
    self.fields = fields
    self.accounts = accounts ?? EntrySet()
  }

  func account(_ id: String) -> JSON? { accounts[id] }

  mutating func put(_ account: JSON, for id: String) {
    accounts.put(account, at: id)
    changedAccounts.append(id)
  }

  mutating func remove(_ id: String) {
    accounts.remove(id)
    changedAccounts.append(id)
  }

  mutating func clearChanges() { changedAccounts = [] }

  /// The complete entry as JSON.
  var json: JSON {
    var map: OrderedDictionary<String, JSON> = [:]
    accounts.forEach { map[$0] = $1 }
    return json(map)
  }

  /// The entry with only the changed accounts, as recorded in a trace.
  var changedJSON: JSON {
    var map: OrderedDictionary<String, JSON> = [:]
    for id in changedAccounts { map[id] = accounts[id] }
    return json(map)
  }

  private func json(_ map: OrderedDictionary<String, JSON>) -> JSON {
    var fields = fields
    fields.updateValue(.object(map), forKey: Self.mapField, insertingAt: min(1, fields.count))
    return .object(fields)
  }

  func write(to text: inout [UInt8]) {
    text.append(UInt8(ascii: "{"))
    for (name, value) in fields {
      text += JSON.string(name).text().utf8
      text.append(UInt8(ascii: ":"))
      text += value.text(sortedKeys: false).utf8
      text.append(UInt8(ascii: ","))
    }
    text += JSON.string(Self.mapField).text().utf8
    text.append(UInt8(ascii: ":"))
    accounts.write(to: &text)
    text.append(UInt8(ascii: "}"))
  }
}
