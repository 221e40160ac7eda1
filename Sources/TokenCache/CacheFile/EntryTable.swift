import Documents
import Synchronization

/// An index of the members of an object in a cache file, by key and by account.
///
/// Uses 32 bytes per entry and 16 bytes per slot, regardless of the entry size. Decodes values on demand.
final class EntryTable: Sendable {
  struct Entry {
    /// The offsets of the key, without quotes.
    fileprivate(set) var keyStart: UInt32
    fileprivate(set) var keyEnd: UInt32
    fileprivate(set) var valueStart: UInt32
    fileprivate(set) var valueEnd: UInt32
    /// The offsets of the `home_account_id`, without quotes. The two offsets are equal if the entry does not have this
    /// field.
    fileprivate var accountStart: UInt32 = 0
    fileprivate var accountEnd: UInt32 = 0
    /// One more than the index of the account's next entry, or 0 if there is none.
    fileprivate var next: UInt32 = 0
    fileprivate var flags: Flags = []

    var value: Range<Int> { Int(valueStart)..<Int(valueEnd) }
    fileprivate var key: JSONScanner.Slice {
      JSONScanner.Slice(start: Int(keyStart), end: Int(keyEnd), hasEscapes: flags.contains(.keyHasEscapes))
    }
    fileprivate var account: JSONScanner.Slice {
      JSONScanner.Slice(start: Int(accountStart), end: Int(accountEnd), hasEscapes: flags.contains(.accountHasEscapes))
    }
  }

  fileprivate struct Flags: OptionSet {
    var rawValue: UInt32
    static let keyHasEscapes = Flags(rawValue: 1)
    static let accountHasEscapes = Flags(rawValue: 2)
    /// The flag for an entry that a later entry with the same key replaces.
    static let isSuperseded = Flags(rawValue: 4)
  }

  let text: CacheText
  let entries: [Entry]
  /// The indices of entries that a later entry with the same key replaces.
  let superseded: [Int]
  private let keys: SlotTable
  private let accounts: SlotTable
  /// Recently decoded values.
  private let cachedValues = Mutex<[Int: JSON]>([:])
  private static let cacheLimit = 2_048

  /// Indexes the object at the scanner's position.
  init(_ text: CacheText, _ scanner: inout JSONScanner) throws(JSONScanner.SyntaxError) {
    var entries: [Entry] = []
    try scanner.members { (scanner, key) throws(JSONScanner.SyntaxError) in
      var entry = Entry(
        keyStart: UInt32(key.start), keyEnd: UInt32(key.end), valueStart: UInt32(scanner.index), valueEnd: 0)
      if key.hasEscapes { entry.flags.insert(.keyHasEscapes) }
      if scanner.byte == UInt8(ascii: "{") {
        try Self.readAccount(&entry, &scanner)
      } else {
        try scanner.value(depth: 2)
      }
      entry.valueEnd = UInt32(scanner.index)
      entries.append(entry)
    }
    self.text = text
    (keys, superseded) = Self.indexKeys(&entries, scanner)
    accounts = Self.indexAccounts(&entries, scanner)
    self.entries = entries
  }

  private static func readAccount(_ entry: inout Entry, _ scanner: inout JSONScanner) throws(JSONScanner.SyntaxError) {
    try scanner.members { (scanner, name) throws(JSONScanner.SyntaxError) in
      guard scanner.byte == UInt8(ascii: "\"") else { return try scanner.value(depth: 3) }
      let value = try scanner.string()
      guard name.end - name.start == 15, isHomeAccountID(scanner, name) else { return }
      entry.accountStart = UInt32(value.start)
      entry.accountEnd = UInt32(value.end)
      if value.hasEscapes { entry.flags.insert(.accountHasEscapes) } else { entry.flags.remove(.accountHasEscapes) }
    }
  }

  private static func isHomeAccountID(_ scanner: JSONScanner, _ name: JSONScanner.Slice) -> Bool {
    let field: StaticString = "home_account_id"
    return UnsafeBufferPointer(rebasing: scanner.text[name.range])
      .elementsEqual(UnsafeBufferPointer(start: field.utf8Start, count: field.utf8CodeUnitCount))
  }

  private static func indexKeys(
    _ entries: inout [Entry], _ scanner: JSONScanner
  ) -> (slots: SlotTable, superseded: [Int]) {
    var slots = SlotTable(count: entries.count)
    var superseded: [Int] = []
    for index in entries.indices {
      let old = withText(entries[index].key, scanner) { key in
        slots.insert(index, hash: SlotTable.hash(key)) { other in
          withText(entries[other].key, scanner) { $0.elementsEqual(key) }
        }
      }
      if let old {
        entries[old].flags.insert(.isSuperseded)
        superseded.append(old)
      }
    }
    return (slots, superseded.sorted())
  }

  private static func indexAccounts(_ entries: inout [Entry], _ scanner: JSONScanner) -> SlotTable {
    var slots = SlotTable(count: entries.reduce(0) { $1.accountEnd > $1.accountStart ? $0 + 1 : $0 })
    // Iterate in reverse order, so that each account's chain starts with the account's first entry.
    for index in entries.indices.reversed() {
      let entry = entries[index]
      guard entry.accountEnd > entry.accountStart, !entry.flags.contains(.isSuperseded) else { continue }
      let next = withAccount(entry.account, scanner) { account in
        slots.insert(index, hash: SlotTable.hash(account)) { other in
          withAccount(entries[other].account, scanner) { $0.elementsEqual(account) }
        }
      }
      if let next { entries[index].next = UInt32(next + 1) }
    }
    return slots
  }

  // MARK: - Lookup

  /// The number of entries, not counting superseded ones.
  var count: Int { entries.count - superseded.count }

  /// The size of the entries' text in bytes.
  var textSize: Int {
    guard let first = entries.first, let last = entries.last else { return 0 }
    return Int(last.valueEnd) - Int(first.keyStart)
  }

  /// Whether the entry is current: no later entry has the same key.
  func isCurrent(_ index: Int) -> Bool { !entries[index].flags.contains(.isSuperseded) }

  func key(_ index: Int) -> String {
    text.bytes.withUnsafeBufferPointer { bytes in
      JSONScanner(bytes, 0..<bytes.count)?.text(of: entries[index].key) ?? ""
    }
  }

  func index(of key: String) -> Int? {
    var key = key
    return text.bytes.withUnsafeBufferPointer { bytes in
      guard let scanner = JSONScanner(bytes, 0..<bytes.count) else { return nil }
      return key.withUTF8 { key in
        keys.find(SlotTable.hash(key)) { other in
          Self.withText(self.entries[other].key, scanner) { $0.elementsEqual(key) }
        }
      }
    }
  }

  /// Returns the entries of an account, in file order.
  /// - Parameter account: The account ID, trimmed and lowercased.
  func indices(ofAccount account: String) -> [Int] {
    var account = account
    let first: Int? = text.bytes.withUnsafeBufferPointer { bytes in
      guard let scanner = JSONScanner(bytes, 0..<bytes.count) else { return nil }
      return account.withUTF8 { account in
        accounts.find(SlotTable.hash(account)) { other in
          Self.withAccount(self.entries[other].account, scanner) { $0.elementsEqual(account) }
        }
      }
    }
    guard var index = first else { return [] }
    var indices = [index]
    while entries[index].next > 0 {
      index = Int(entries[index].next) - 1
      indices.append(index)
    }
    return indices
  }

  /// Returns the account ID of an entry, trimmed and lowercased.
  func account(_ index: Int) -> String? {
    let entry = entries[index]
    guard entry.accountEnd > entry.accountStart else { return nil }
    return text.bytes.withUnsafeBufferPointer { bytes in
      JSONScanner(bytes, 0..<bytes.count).map { CacheKey.normalized($0.text(of: entry.account)) }
    }
  }

  /// Decodes the value of an entry.
  /// - Parameter caching: Whether to cache the decoded value.
  func json(_ index: Int, caching: Bool = true) -> JSON {
    if let cached = cachedValues.withLock({ $0[index] }) { return cached }
    let value = text.json(entries[index].value)
    guard caching else { return value }
    cachedValues.withLock { values in
      if values.count >= Self.cacheLimit { values.removeAll(keepingCapacity: true) }
      values[index] = value
    }
    return value
  }

  // MARK: - Comparison

  private static func withText<Result>(
    _ slice: JSONScanner.Slice, _ scanner: JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    guard slice.hasEscapes else { return body(UnsafeBufferPointer(rebasing: scanner.text[slice.range])) }
    var text = scanner.text(of: slice)
    return text.withUTF8(body)
  }

  /// Calls `body` with an account ID that is trimmed and lowercased for comparison.
  private static func withAccount<Result>(
    _ slice: JSONScanner.Slice, _ scanner: JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let bytes = UnsafeBufferPointer(rebasing: scanner.text[slice.range])
    // ASCII text without uppercase letters, spaces, or backslashes is already normalized.
    let isNormalized = bytes.allSatisfy { $0 > 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) && $0 != 0x5C }
    if isNormalized { return body(bytes) }
    var text = CacheKey.normalized(scanner.text(of: slice))
    return text.withUTF8(body)
  }
}
