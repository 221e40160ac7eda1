import OrderedCollections

extension Node {
  /// The value without locations. A date becomes an ISO 8601 string, data becomes a base64 string, and a UID becomes
  /// `{"CF$UID": n}`.
  ///
  /// If a key occurs more than once, the first value is used, as in `subscript(key:)`.
  package var json: JSON {
    switch kind {
    case .null: return .null
    case .bool: return .bool(bool ?? false)
    case .integer:
      if let integer { return .integer(integer) }
      return JSON(number: number ?? .nan)
    case .real: return JSON(number: number ?? .nan)
    case .string: return .string(string ?? "")
    case .data: return .string(Base64.encode(data ?? []))
    case .date: return .string(calendarTime.map(DateText.write) ?? "")
    case .uid: return .object(["CF$UID": .integer(Int64(clamping: uid ?? 0))])
    case .array: return .array(elements.map(\.json))
    case .mapping:
      var members: OrderedDictionary<String, JSON> = [:]
      members.reserveCapacity(count)
      for (key, value) in entries {
        let name = key.scalarText ?? ""
        if members[name] == nil { members[name] = value.json }
      }
      return .object(members)
    }
  }
}
