import Documents

/// A tree that JSONPath can query, such as `JSON` or a document's `Node`.
package protocol QueryableValue: Sendable {
  /// The kind of value, including the content of a scalar.
  var queryForm: QueryForm { get }
  /// The number of elements or members; 0 for a scalar.
  var queryCount: Int { get }
  /// Returns the member whose name has the same UTF-8 bytes as `name`, or nil if there is no such member or the value
  /// is not an object.
  func queryMember(_ name: String) -> Self?
  /// Returns the element at a zero-based index, or nil if there is no such element or the value is not an array.
  func queryElement(_ index: Int) -> Self?
  /// The elements of an array in order, or an empty array.
  var queryElements: [Self] { get }
  /// Calls `body` with each member of an object in document order.
  func forEachQueryMember(_ body: (_ name: String, _ value: Self) -> Void)
}

/// The kinds of values that JSONPath distinguishes (RFC 9535 §1.1).
package enum QueryForm: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array
  case object
}

extension JSON: QueryableValue {
  package var queryForm: QueryForm {
    switch self {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .string(let value): .string(value)
    case .array: .array
    case .object: .object
    }
  }

  package var queryCount: Int { count }

  package func queryMember(_ name: String) -> JSON? { member(exactly: name) }

  package func queryElement(_ index: Int) -> JSON? { self[index] }

  package var queryElements: [JSON] { array ?? [] }

  package func forEachQueryMember(_ body: (_ name: String, _ value: JSON) -> Void) { forEachMember(body) }
}
