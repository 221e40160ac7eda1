import Documents

/// A `$filter` expression (OData 4.01 §5.1.1), limited to the subset that Graph supports.
package indirect enum ODataFilter: Hashable, Sendable {
  /// A comparison operator.
  package enum Comparison: String, Hashable, Sendable, CaseIterable {
    case eq, ne, gt, ge, lt, le
  }
  /// A string function.
  package enum Function: String, Hashable, Sendable, CaseIterable {
    case startswith, endswith, contains
  }

  case and(ODataFilter, ODataFilter)
  case or(ODataFilter, ODataFilter)
  case not(ODataFilter)
  case compare([String], Comparison, JSON)
  case oneOf([String], [JSON])
  case function(Function, [String], String)
  /// A Boolean property.
  case property([String])
  /// A lambda such as `path/any(x:x eq 'a')`. The paths in the inner filter omit the variable name, as in `all`.
  case any([String], ODataFilter?)
  case all([String], ODataFilter)
  /// A comparison of a collection's size, such as `path/$count eq 0`.
  case size([String], Comparison, Int)

  /// Parses the value of `$filter`.
  package init(parsing text: String) throws(GraphErrorResponse) {
    var parser = ODataFilterParser(text)
    self = try parser.parse()
  }

  /// Whether an item matches the filter.
  package func matches(_ item: JSON) -> Bool {
    switch self {
    case .and(let left, let right): return left.matches(item) && right.matches(item)
    case .or(let left, let right): return left.matches(item) || right.matches(item)
    case .not(let inner): return !inner.matches(item)
    case .compare(let path, let comparison, let literal):
      return comparison.isTrue(ODataValue.at(path, in: item), literal)
    case .oneOf(let path, let literals):
      let value = ODataValue.at(path, in: item)
      return literals.contains { ODataValue.isEqual(value, $0) }
    case .function(let function, let path, let text):
      guard let value = ODataValue.at(path, in: item).string?.lowercased() else { return false }
      let text = text.lowercased()
      switch function {
      case .startswith: return value.hasPrefix(text)
      case .endswith: return value.hasSuffix(text)
      case .contains: return text.isEmpty || value.contains(text)
      }
    case .property(let path): return ODataValue.at(path, in: item).bool ?? false
    case .any(let path, let inner):
      guard let elements = ODataValue.at(path, in: item).array else { return false }
      guard let inner else { return !elements.isEmpty }
      return elements.contains { inner.matches($0) }
    case .all(let path, let inner):
      return (ODataValue.at(path, in: item).array ?? []).allSatisfy { inner.matches($0) }
    case .size(let path, let comparison, let count):
      let size = ODataValue.at(path, in: item).array?.count ?? 0
      return comparison.isTrue(.integer(Int64(size)), .integer(Int64(count)))
    }
  }

  /// The first operator in the filter that requires an advanced query, or nil.
  var advancedOperator: String? {
    switch self {
    case .and(let left, let right), .or(let left, let right): left.advancedOperator ?? right.advancedOperator
    case .not: "not"
    case .compare(_, .ne, _): "ne"
    case .function(.endswith, _, _): "endsWith"
    case .size: "$count"
    default: nil
    }
  }

  /// The property paths that the filter uses.
  var paths: [[String]] {
    switch self {
    case .and(let left, let right), .or(let left, let right): left.paths + right.paths
    case .not(let inner): inner.paths
    case .compare(let path, _, _), .oneOf(let path, _), .function(_, let path, _), .property(let path),
      .any(let path, _), .all(let path, _), .size(let path, _, _):
      [path]
    }
  }

  /// Whether the filter uses `contains`, which the directory does not support.
  var usesContains: Bool {
    switch self {
    case .and(let left, let right), .or(let left, let right): left.usesContains || right.usesContains
    case .not(let inner): inner.usesContains
    case .function(.contains, _, _): true
    default: false
    }
  }
}

extension ODataFilter.Comparison {
  /// Compares two values. If a value is null, only `eq` with another null and `ne` with a non-null value are true.
  func isTrue(_ value: JSON, _ literal: JSON) -> Bool {
    switch self {
    case .eq: return ODataValue.isEqual(value, literal)
    case .ne: return !ODataValue.isEqual(value, literal)
    case .gt, .ge, .lt, .le:
      guard !value.isNull, !literal.isNull else { return false }
      let order = ODataValue.order(value, literal)
      switch self {
      case .gt: return order > 0
      case .ge: return order >= 0
      case .lt: return order < 0
      default: return order <= 0
      }
    }
  }
}
