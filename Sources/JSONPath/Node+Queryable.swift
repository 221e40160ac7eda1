import Documents

/// Support for queries on documents. Values without a JSON type become strings (a date in ISO 8601, data in base64) or
/// numbers (a UID). A key that is not a string is represented by its source text. If a key occurs more than once, the
/// first occurrence applies.
extension Node: QueryableValue {
  package var queryForm: QueryForm {
    switch kind {
    case .null: .null
    case .bool: .bool(bool ?? false)
    case .integer, .real:
      if let integer { .integer(integer) } else { number.map { .real($0) } ?? .null }
    case .string: .string(string ?? "")
    case .data, .date: .string(json.string ?? "")
    case .uid: .integer(uid.flatMap { Int64(exactly: $0) } ?? 0)
    case .array: .array
    case .mapping: .object
    }
  }

  package var queryCount: Int { count }

  package func queryMember(_ name: String) -> Node? { self[name] }

  package func queryElement(_ index: Int) -> Node? { self[index] }

  package var queryElements: [Node] { Array(elements) }

  package func forEachQueryMember(_ body: (_ name: String, _ value: Node) -> Void) {
    for (key, value) in entries { body(key.scalarText ?? "", value) }
  }
}
