import Documents
import Effects

/// Comparison of resource values according to OData, which ignores the case of text and orders timestamps
/// chronologically.
enum ODataValue {
  /// Returns the value at a path such as `start/dateTime`, or null if there is no such value. Ignores the case of
  /// names.
  static func at(_ path: [String], in item: JSON) -> JSON {
    path.reduce(item) { $0.member($1) ?? .null }
  }

  /// Returns a negative number, zero, or a positive number, depending on the order of the values. Null sorts first.
  /// Returns zero for values of different types.
  static func order(_ left: JSON, _ right: JSON) -> Int {
    switch (left, right) {
    case (.null, .null): return 0
    case (.null, _): return -1
    case (_, .null): return 1
    case (.bool(let left), .bool(let right)): return (left ? 1 : 0) - (right ? 1 : 0)
    case (.string(let left), .string(let right)):
      if let one = moment(left), let other = moment(right) { return one < other ? -1 : one == other ? 0 : 1 }
      let (one, other) = (left.lowercased(), right.lowercased())
      return one < other ? -1 : one == other ? 0 : 1
    default:
      guard let left = left.number, let right = right.number else { return 0 }
      return left < right ? -1 : left == right ? 0 : 1
    }
  }

  static func isEqual(_ left: JSON, _ right: JSON) -> Bool {
    switch (left, right) {
    case (.string, .string), (.null, .null), (.bool, .bool), (.integer, .integer), (.integer, .real), (.real, .integer),
      (.real, .real):
      order(left, right) == 0
    default: left == right
    }
  }

  /// Parses a timestamp. Interprets a timestamp without an offset, such as an event's `dateTime`, as UTC.
  private static func moment(_ text: String) -> Instant? {
    guard text.utf8.count >= 16, let digit = text.utf8.first, (48...57).contains(digit), text.contains("T") else {
      return nil
    }
    return Instant(rfc3339: text) ?? Instant(rfc3339: text + "Z")
  }
}
