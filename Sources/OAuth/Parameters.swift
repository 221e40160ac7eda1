/// The parameters of a form or a query, in order, with repetitions visible.
///
/// OAuth forbids repeated parameters (RFC 6749 §3.1); a dictionary would hide them.
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

  /// The first value of that name.
  package subscript(name: String) -> String? {
    entries.first { $0.name == name }?.value
  }

  /// All values of that name, in order.
  package func values(of name: String) -> [String] {
    entries.filter { $0.name == name }.map(\.value)
  }

  /// The distinct names, in order of their first appearance.
  package var names: [String] {
    var seen: Set<String> = []
    return entries.map(\.name).filter { seen.insert($0).inserted }
  }

  /// The names that stand more than once, in order.
  package var repeatedNames: [String] {
    var seen: Set<String> = []
    // Hardly ever is there one.
    guard !entries.allSatisfy({ seen.insert($0.name).inserted }) else { return [] }
    var counts: [String: Int] = [:]
    for entry in entries { counts[entry.name, default: 0] += 1 }
    return names.filter { counts[$0, default: 0] > 1 }
  }

  package var isEmpty: Bool { entries.isEmpty }

  package mutating func append(_ name: String, _ value: String) {
    entries.append(Entry(name, value))
  }

  /// Adds the parameter where there is a value; a nil is left out of the request altogether.
  package mutating func append(_ name: String, ifPresent value: String?) {
    if let value { append(name, value) }
  }

  /// Adds those entries whose names are not there yet; what is there is never overwritten.
  package mutating func appendMissing(_ others: Parameters) {
    let present = Set(entries.map(\.name))
    entries += others.entries.filter { !present.contains($0.name) }
  }

  /// Gives the name this one value: the first entry is changed, further ones are removed.
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
    let kept = self[range].filter { !isUnwanted($0) }
    replaceSubrange(range, with: kept)
  }
}

extension Parameters: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Entry($0.0, $0.1) })
  }
}
