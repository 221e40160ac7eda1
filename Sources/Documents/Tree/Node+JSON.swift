import OrderedCollections

extension Node {
  /// The value without its place. A date becomes an ISO 8601 string, data a base64 string, a UID `{"CF$UID": n}`.
  ///
  /// Of duplicate keys the first counts, as in `subscript(key:)`.
  package var json: JSON {
    switch kind {
    case .null: return .null
    case .bool: return .bool(bool ?? false)
    case .integer:
      if let integer { return .integer(integer) }
      return JSON(number: number ?? .nan)
    case .real: return JSON(number: number ?? .nan)
    case .string: return .string(string ?? "")
    case .data: return .string(Base64Text.encode(data ?? []))
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
