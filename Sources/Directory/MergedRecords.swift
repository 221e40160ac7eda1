import Documents

extension Field {
  /// A list of records. A record with the identity of an existing record overrides it. Other records are appended.
  /// - Parameter what: A noun phrase for an element, if the list must not contain an identity twice.
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
      // Moved out of the owner, so that it is not copied for each record.
      var records = owner[keyPath: path]
      owner[keyPath: path] = []
      var index = RecordIndex(records, by: identities)
      var seen: Set<Int> = []
      for child in node.elements {
        // Decoded alone first to find the record to override. The second decoding reports the errors.
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

/// Finds records by identity, because a list can have thousands of users.
private struct RecordIndex<Element: Sendable> {
  private let identities: [any KeyPath<Element, String> & Sendable]
  /// For each identity key, the positions by its value in lowercase. An overridden record keeps its old entries, so each match
  /// is compared with the current value.
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

  /// The position of the first record that shares an identity with this one.
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
