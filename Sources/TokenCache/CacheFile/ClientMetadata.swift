import Documents
import OrderedCollections

/// The one entry that holds everything that a client knows of its accounts, with the accounts found by their ids.
///
/// With a hundred thousand accounts the entry has tens of megabytes: reading and changing one account's part must cost no
/// more than that part.
struct ClientMetadata: Sendable {
  static let mapField = "account_metadata_map"

  /// The entry's fields without the map of accounts.
  var fields: OrderedDictionary<String, JSON> = [:]
  /// By home account id, trimmed and in lower case.
  private(set) var accounts = EntrySet()
  /// The accounts that the last change was about.
  private(set) var changedAccounts: OrderedSet<String> = []

  init() {}

  /// Reads the entry at which the scanner stands; nil where it has another form, in which case the scanner is anywhere.
  init?(_ text: CacheText, _ scanner: inout JSONScanner) throws(JSONScanner.SyntaxError) {
    guard scanner.byte == UInt8(ascii: "{") else { return nil }
    var fields: OrderedDictionary<String, JSON> = [:]
    var accounts: EntrySet?
    var hasForm = true
    try scanner.members { (scanner, name) throws(JSONScanner.SyntaxError) in
      let name = scanner.text(of: name)
      guard name == Self.mapField else {
        fields[name] = try scanner.json(depth: 3)
        return
      }
      if scanner.byte == UInt8(ascii: "{") {
        accounts = EntrySet(try EntryTable(text, &scanner))
      } else {
        hasForm = false
        try scanner.value(depth: 3)
      }
    }
    guard hasForm else { return nil }
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

  mutating func forgetChanges() { changedAccounts = [] }

  /// The whole entry.
  var json: JSON {
    var map: OrderedDictionary<String, JSON> = [:]
    accounts.forEach { map[$0] = $1 }
    return json(map)
  }

  /// The entry with only those accounts that were changed: what a trace shows.
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
