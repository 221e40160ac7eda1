import Documents

extension Field {
  /// A list of records; one that has the identity of a record already there is laid over it, any other is appended.
  /// - Parameter what: what an element is, where the list must not have two of one identity.
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
      // Out of its owner meanwhile, so that nothing is copied for each record.
      var records = owner[keyPath: path]
      owner[keyPath: path] = []
      var index = RecordIndex(records, by: identities)
      var seen: Set<Int> = []
      for child in node.elements {
        // Read alone first, to learn which record it is about; what is wrong is told by the second reading.
        var probe = empty
        var ignored = DiagnosticCollector()
        _ = fields.read(child, into: &probe, &ignored)
        let known = index.place(of: probe, in: records)
        if let what, !seen.insert(known ?? records.count).inserted {
          problems.error("duplicate-identity", "\(what) stands in the list twice", at: child)
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

/// Where in a list the records of an identity stand: with thousands of users, nobody looks through the list for each.
private struct RecordIndex<Element: Sendable> {
  private let identities: [any KeyPath<Element, String> & Sendable]
  /// For each identity, the places by its value in lower case. A record that was laid over stays where it was, too;
  /// whether it still has the value is asked of itself.
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

  /// The first record that shares an identity with this one.
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
