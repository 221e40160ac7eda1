/// The parameters of a form or query, in order and including duplicates.
///
/// OAuth forbids duplicate parameters (RFC 6749 §3.1), so this type preserves duplicates for validation to detect.
package struct Parameters: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package private(set) var entries: [Entry]

  package init(_ entries: [Entry] = []) {
    self.entries = entries
  }

  /// Accesses the first value with this name.
  package subscript(name: String) -> String? {
    entries.first { $0.name == name }?.value
  }

  /// Returns all values with this name, in order.
  package func values(of name: String) -> [String] {
    entries.filter { $0.name == name }.map(\.value)
  }

  /// The distinct names, in order of their first appearance.
  package var names: [String] {
    var seen: Set<String> = []
    return entries.map(\.name).filter { seen.insert($0).inserted }
  }

  /// The names that appear more than once, in order.
  package var repeatedNames: [String] {
    var seen: Set<String> = []
    // Duplicates are rare, so check for them first.
    guard !entries.allSatisfy({ seen.insert($0.name).inserted }) else { return [] }
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.name, default: 0] += 1 }
    return names.filter { counts[$0, default: 0] > 1 }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func append(_ name: String, _ value: String) {
    entries.append(Entry(name, value))
  }

  /// Appends the parameter if the value is not nil.
  package mutating func append(_ name: String, ifPresent value: String?) {
    if let value { append(name, value) }
  }

  /// Appends the entries of `others` whose names are not yet present.
  package mutating func appendMissing(_ others: Parameters) {
    let present = Set(entries.map(\.name))
    entries += others.entries.filter { !present.contains($0.name) }
  }

  /// Sets the value for a name. Changes the first entry and removes duplicates, or appends a new entry.
  package mutating func set(_ name: String, _ value: String) {
    guard let index = entries.firstIndex(where: { $0.name == name }) else { return append(name, value) }
    entries[index].value = value
    entries.removeSubrange(index + 1..<entries.endIndex, where: { $0.name == name })
  }

  package mutating func remove(_ name: String) {
    entries.removeAll { $0.name == name }
  }

  package static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.entries + rhs.entries) }
}

extension Array {
  fileprivate mutating func removeSubrange(_ range: Range<Int>, where isUnwanted: (Element) -> Bool) {
    replaceSubrange(range, with: self[range].filter { !isUnwanted($0) })
  }
}

extension Parameters: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Entry($0.0, $0.1) })
  }
}
