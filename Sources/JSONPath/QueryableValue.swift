import Documents

/// A tree that JSONPath can walk. `JSON` is one, a document's `Node` another.
package protocol QueryableValue: Sendable {
  /// What the value is: a scalar with its content, or a kind of container.
  var queryForm: QueryForm { get }
  /// The number of an array's elements or an object's members; 0 for a scalar.
  var queryCount: Int { get }
  /// The member of exactly that name, code point by code point; nil where there is none or this is no object.
  func queryMember(_ name: String) -> Self?
  /// The element at an index from 0; nil where there is none or this is no array.
  func queryElement(_ index: Int) -> Self?
  /// An array's elements in order; empty where this is no array.
  var queryElements: [Self] { get }
  /// Calls `body` with each member in the document's order; never where this is no object.
  func forEachQueryMember(_ body: (_ name: String, _ value: Self) -> Void)
}

/// A value as JSONPath tells values apart (RFC 9535 §1.1).
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
