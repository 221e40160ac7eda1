import Documents
import Synchronization

/// The members of one object in a cache file, as text: where each stands, found by key and by account.
///
/// It takes 32 bytes per entry and 16 per slot, whatever the entries' size; an entry's value is made when it is asked for.
final class EntryTable: Sendable {
  struct Entry {
    /// Between the key's quotes.
    fileprivate(set) var keyStart: UInt32
    fileprivate(set) var keyEnd: UInt32
    fileprivate(set) var valueStart: UInt32
    fileprivate(set) var valueEnd: UInt32
    /// Between the quotes of the entry's `home_account_id`; empty where it has none.
    fileprivate var accountStart: UInt32 = 0
    fileprivate var accountEnd: UInt32 = 0
    /// The next entry of the same account, plus one.
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
    /// Another entry of the same key comes later, which counts.
    static let isSuperseded = Flags(rawValue: 4)
  }

  let text: CacheText
  let entries: [Entry]
  /// Entries of which another with the same key comes later.
  let superseded: [Int]
  private let keys: SlotTable
  private let accounts: SlotTable
  /// Entries that were asked for lately.
  private let made = Mutex<[Int: JSON]>([:])
  private static let madeLimit = 2_048

  /// Walks over the object at which the scanner stands.
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
    let wanted: StaticString = "home_account_id"
    return UnsafeBufferPointer(rebasing: scanner.text[name.range])
      .elementsEqual(UnsafeBufferPointer(start: wanted.utf8Start, count: wanted.utf8CodeUnitCount))
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
    // From the last to the first, so that each account's chain begins with its first entry.
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

  // MARK: Finding

  /// The entries that count.
  var count: Int { entries.count - superseded.count }

  /// How many bytes the entries' text has.
  var textSize: Int {
    guard let first = entries.first, let last = entries.last else { return 0 }
    return Int(last.valueEnd) - Int(first.keyStart)
  }

  func counts(_ index: Int) -> Bool { !entries[index].flags.contains(.isSuperseded) }

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

  /// The entries of an account, in the file's order.
  /// - Parameter account: trimmed and in lower case.
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
    var found = [index]
    while entries[index].next > 0 {
      index = Int(entries[index].next) - 1
      found.append(index)
    }
    return found
  }

  /// The account of an entry, trimmed and in lower case.
  func account(_ index: Int) -> String? {
    let entry = entries[index]
    guard entry.accountEnd > entry.accountStart else { return nil }
    return text.bytes.withUnsafeBufferPointer { bytes in
      JSONScanner(bytes, 0..<bytes.count).map { CacheKey.normal($0.text(of: entry.account)) }
    }
  }

  /// The entry's value.
  /// - Parameter keeping: whether it will soon be asked for again.
  func json(_ index: Int, keeping: Bool = true) -> JSON {
    if let known = made.withLock({ $0[index] }) { return known }
    let value = text.json(entries[index].value)
    guard keeping else { return value }
    made.withLock { made in
      if made.count >= Self.madeLimit { made.removeAll(keepingCapacity: true) }
      made[index] = value
    }
    return value
  }

  // MARK: Comparing

  private static func withText<Result>(
    _ slice: JSONScanner.Slice, _ scanner: JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    guard slice.hasEscapes else { return body(UnsafeBufferPointer(rebasing: scanner.text[slice.range])) }
    var text = scanner.text(of: slice)
    return text.withUTF8(body)
  }

  /// An account's id as it is compared: trimmed and in lower case.
  private static func withAccount<Result>(
    _ slice: JSONScanner.Slice, _ scanner: JSONScanner, _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    let bytes = UnsafeBufferPointer(rebasing: scanner.text[slice.range])
    // What is neither a capital, nor blank, nor beyond ASCII, is itself.
    let isNormal = bytes.allSatisfy { $0 > 0x20 && $0 < 0x80 && !(0x41...0x5A).contains($0) && $0 != 0x5C }
    if isNormal { return body(bytes) }
    var text = CacheKey.normal(scanner.text(of: slice))
    return text.withUTF8(body)
  }
}
