import Documents

extension Field {
  /// Creates a field for a list of records. A record overrides the existing record with the same identity. Records
  /// without a match are appended.
  /// - Parameter what: A noun phrase for a record in diagnostics, or nil if the list can contain the same identity
  ///   twice.
  static func merging<Element: Sendable>(
    _ key: String, _ fields: @escaping @autoclosure @Sendable () -> Fields<Element>, empty: Element,
    into path: any WritableKeyPath<Owner, [Element]> & Sendable,
    sameAs identities: [any KeyPath<Element, String> & Sendable], onceAs what: String? = nil, _ words: String
  ) -> Field {
    Field(key, schema: ["type": "array", "items": fields().schema], words) { node, owner, problems in
      guard node.kind == .array else {
        problems.mismatch(node, expected: "a list")
        return
      }
      let fields = fields()
      // Move the list out of the owner, so that it is not copied for each record.
      var records = owner[keyPath: path]
      owner[keyPath: path] = []
      var index = RecordIndex(records, by: identities)
      var seen: Set<Int> = []
      for child in node.elements {
        // Decode the record alone first, to find the existing record. The second decoding reports errors.
        var probe = empty
        var ignored = DiagnosticCollector()
        _ = fields.read(child, into: &probe, &ignored)
        let known = index.place(of: probe, in: records)
        if let what, !seen.insert(known ?? records.count).inserted {
          problems.error("duplicate-identity", "duplicate: \(what)", at: child)
        }
        var element = known.map { records[$0] } ?? empty
        guard fields.read(child, into: &element, &problems) else { continue }
        if let known { records[known] = element } else { records.append(element) }
        index.add(element, at: known ?? records.count - 1)
      }
      owner[keyPath: path] = records
    }
  }
}

/// An index for finding records by identity quickly, because a list can contain thousands of users.
private struct RecordIndex<Element: Sendable> {
  private let identities: [any KeyPath<Element, String> & Sendable]
  /// The positions in the list by lowercase value, for each identity key. The index keeps the old values of
  /// overridden records, so `place(of:in:)` compares each match with the current value.
  private var places: [[String: [Int]]]

  init(_ records: [Element], by identities: [any KeyPath<Element, String> & Sendable]) {
    self.identities = identities
    places = identities.map { _ in [:] }
    for (place, record) in records.enumerated() { add(record, at: place) }
  }

  mutating func add(_ record: Element, at place: Int) {
    for (number, identity) in identities.enumerated() where !record[keyPath: identity].isEmpty {
      let value = record[keyPath: identity].lowercased()
      if places[number][value]?.contains(place) != true { places[number][value, default: []].append(place) }
    }
  }

  /// Returns the position of the first record that shares an identity with this record, or nil if there is none.
  func place(of probe: Element, in records: [Element]) -> Int? {
    var found: Int?
    for (number, identity) in identities.enumerated() where !probe[keyPath: identity].isEmpty {
      let value = probe[keyPath: identity].lowercased()
      for place in places[number][value] ?? [] where records[place][keyPath: identity].lowercased() == value {
        found = min(found ?? place, place)
      }
    }
    return found
  }
}
