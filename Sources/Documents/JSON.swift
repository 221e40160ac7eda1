import OrderedCollections

/// A JSON value without a location, such as a response body, a captured variable, or a part of a trace.
///
/// Members keep their order, but equality ignores it. A number is stored as an integer if 64 bits can represent it
/// exactly, so `1` and `1.0` are both `.integer(1)`.
package enum JSON: Sendable {
  package typealias Members = OrderedDictionary<String, JSON>

  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSON])
  case object(OrderedDictionary<String, JSON>)
}

extension JSON {
  /// Creates an `.integer` if 64 bits can represent the number exactly, and a `.real` otherwise.
  package init(number: Double) {
    if let integer = Int64(exactly: number) { self = .integer(integer) } else { self = .real(number) }
  }

  package var isNull: Bool {
    if case .null = self { true } else { false }
  }
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }
  /// An integer or real number as a double.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }
  package var array: [JSON]? {
    if case .array(let value) = self { value } else { nil }
  }
  package var object: OrderedDictionary<String, JSON>? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The member of an object, or nil if it is absent or the value is not an object. Setting nil removes the member.
  package subscript(key: String) -> JSON? {
    get { object?[key] }
    set {
      guard case .object(var members) = self else { return }
      self = .null
      members[key] = newValue
      self = .object(members)
    }
  }

  package subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The name of the JSON type: `null`, `boolean`, `number`, `string`, `array`, or `object`.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .real: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSON: Hashable {
  package static func == (lhs: JSON, rhs: JSON) -> Bool {
    switch (lhs, rhs) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.integer(let left), .real(let right)): Double(left) == right
    case (.real(let left), .integer(let right)): left == Double(right)
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)):
      left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(Double(value))
    case .real(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value):
      for key in value.keys.sorted() {
        hasher.combine(key)
        hasher.combine(value[key])
      }
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral,
  ExpressibleByStringInterpolation
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = JSON(number: value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }
  package init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(OrderedDictionary(elements, uniquingKeysWith: { $1 }))
  }
}
