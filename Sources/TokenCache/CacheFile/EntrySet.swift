import Documents

/// The entries of a section by key: the entries in the file, overlaid with the changes made since the file was read.
///
/// Copies are cheap. The cost of a change depends on the number of earlier changes. The cost of a lookup does not
/// depend on the number of accounts.
struct EntrySet: Sendable {
  /// An entry that is not in the file.
  private struct Added: Sendable {
    var order: Int
    var entry: JSON
    var account: String?
  }

  private let base: EntryTable?
  /// The replacements for entries in the file, by index. Nil marks a removed entry.
  private var replaced: [Int: JSON?] = [:]
  private var added: [String: Added] = [:]
  private var addedByAccount: [String: [String]] = [:]
  private var lastOrder = 0

  init() {
    base = nil
  }

  init(_ base: EntryTable) {
    self.base = base
  }

  /// The number of changes since the file was read.
  var changeCount: Int { replaced.count + added.count }

  var count: Int {
    (base?.count ?? 0) - replaced.values.reduce(0) { $1 == nil ? $0 + 1 : $0 } + added.count
  }

  /// The approximate size of the serialized object in bytes.
  var sizeHint: Int { (base?.textSize ?? 0) + 128 + changeCount * 2_048 }

  subscript(key: String) -> JSON? {
    if let index = base?.index(of: key) {
      if let replacement = replaced[index] { return replacement ?? added[key]?.entry }
      return base?.json(index)
    }
    return added[key]?.entry
  }

  /// The keys, in order.
  var keys: [String] {
    var keys: [String] = []
    forEach(keysOnly: true) { key, _ in keys.append(key) }
    return keys
  }

  /// Calls `body` with each entry. Entries in the file come first, in order. Added entries follow, in the order in
  /// which they were added.
  func forEach(_ body: (_ key: String, _ entry: JSON) throws -> Void) rethrows {
    try forEach(keysOnly: false, body)
  }

  private func forEach(keysOnly: Bool, _ body: (_ key: String, _ entry: JSON) throws -> Void) rethrows {
    if let base {
      for index in base.entries.indices where base.isCurrent(index) {
        if let replacement = replaced[index] {
          if let replacement { try body(base.key(index), replacement) }
        } else {
          try body(base.key(index), keysOnly ? .null : base.json(index, caching: false))
        }
      }
    }
    for (key, added) in inOrder { try body(key, added.entry) }
  }

  /// Returns the entries of an account, in order.
  /// - Parameter account: The account ID, trimmed and lowercased.
  func entries(ofAccount account: String) -> [(key: String, entry: JSON)] {
    var entries: [(key: String, entry: JSON)] = []
    if let base {
      for index in base.indices(ofAccount: account) {
        if let replacement = replaced[index] {
          if let replacement { entries.append((base.key(index), replacement)) }
        } else {
          entries.append((base.key(index), base.json(index)))
        }
      }
    }
    for key in addedByAccount[account] ?? [] {
      if let entry = added[key]?.entry { entries.append((key, entry)) }
    }
    return entries
  }

  mutating func put(_ entry: JSON, at key: String) {
    let account = Self.account(of: entry)
    if let base, let index = base.index(of: key) {
      // If an entry's account changes, the entry is removed and added again, because the file's index lists it under
      // the old account.
      if account == base.account(index) {
        remove(added: key)
        replaced[index] = .some(entry)
        return
      }
      replaced[index] = .some(nil)
    }
    let order = added[key]?.order
    remove(added: key)
    lastOrder += 1
    added[key] = Added(order: order ?? lastOrder, entry: entry, account: account)
    if let account { addedByAccount[account, default: []].append(key) }
  }

  mutating func remove(_ key: String) {
    remove(added: key)
    if let index = base?.index(of: key) { replaced[index] = .some(nil) }
  }

  private mutating func remove(added key: String) {
    guard let old = added.removeValue(forKey: key), let account = old.account else { return }
    addedByAccount[account]?.removeAll { $0 == key }
    if addedByAccount[account]?.isEmpty == true { addedByAccount[account] = nil }
  }

  private var inOrder: [(key: String, value: Added)] { added.sorted { $0.value.order < $1.value.order } }

  private static func account(of entry: JSON) -> String? {
    guard let account = entry["home_account_id"]?.string, !account.isEmpty else { return nil }
    return CacheKey.normalized(account)
  }

  /// Writes the object as text. Copies unchanged entries from the file.
  func write(to text: inout [UInt8]) {
    text.append(UInt8(ascii: "{"))
    let start = text.count
    func separate(_ text: inout [UInt8]) {
      if text.count > start { text.append(UInt8(ascii: ",")) }
    }
    if let base {
      // Copy the text between two changed entries in one operation.
      func copy(_ range: Range<Int>, _ text: inout [UInt8]) {
        guard let first = range.first, let last = range.last else { return }
        separate(&text)
        text += base.text.bytes[Int(base.entries[first].keyStart) - 1..<Int(base.entries[last].valueEnd)]
      }
      var next = 0
      for index in (Array(replaced.keys) + base.superseded.filter { replaced[$0] == nil }).sorted() {
        copy(next..<index, &text)
        next = index + 1
        guard let replacement = replaced[index] ?? nil else { continue }
        separate(&text)
        text += base.text.bytes[Int(base.entries[index].keyStart) - 1...Int(base.entries[index].keyEnd)]
        text.append(UInt8(ascii: ":"))
        text += replacement.text(sortedKeys: false).utf8
      }
      copy(next..<base.entries.count, &text)
    }
    for (key, added) in inOrder {
      separate(&text)
      text += JSON.string(key).text().utf8
      text.append(UInt8(ascii: ":"))
      text += added.entry.text(sortedKeys: false).utf8
    }
    text.append(UInt8(ascii: "}"))
  }
}
