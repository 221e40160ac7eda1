/// A segment: selectors applied to each node, or to each node and its descendants (RFC 9535 §2.5).
struct Segment: Sendable {
  var descends: Bool
  var selectors: [Selector]
  /// The offset in the query, in UTF-8 bytes.
  var offset: Int

  /// Whether the segment selects at most one node for each input node (RFC 9535 §2.3.5.1).
  var isSingular: Bool {
    guard !descends, selectors.count == 1 else { return false }
    switch selectors[0] {
    case .name, .index: return true
    case .wildcard, .slice, .filter: return false
    }
  }
}

enum Selector: Sendable {
  case name(String)
  case wildcard
  case index(Int)
  case slice(start: Int?, end: Int?, step: Int)
  case filter(LogicalExpression)
}

indirect enum LogicalExpression: Sendable {
  case any([LogicalExpression])
  case all([LogicalExpression])
  case not(LogicalExpression)
  case comparison(ComparisonOperand, ComparisonOperator, ComparisonOperand)
  case exists(EmbeddedQuery)
  case match(PatternTest)
}

enum ComparisonOperator: String, Sendable, CaseIterable {
  // List longer operators first, because the parser uses the first match.
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// A query in a filter. It starts with `@` or `$`.
struct EmbeddedQuery: Sendable {
  var isAbsolute: Bool
  var segments: [Segment]
  /// The number of an absolute query. Its result is the same for all nodes and is cached.
  var number: Int

  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// An expression of type ValueType (RFC 9535 §2.4.1): a value or Nothing.
indirect enum ComparisonOperand: Sendable {
  case literal(QueryForm)
  case query(EmbeddedQuery)
  case length(ComparisonOperand)
  case count(EmbeddedQuery)
  case value(EmbeddedQuery)
}

/// A call to `match` or `search`.
struct PatternTest: Sendable {
  var subject: ComparisonOperand
  var pattern: ComparisonOperand
  /// Whether the complete string must match (`match`), or any part of it (`search`).
  var matchesWhole: Bool
  /// The compiled pattern, if it is a literal.
  var compiled: CompiledPattern
}

enum CompiledPattern: Sendable {
  /// The pattern comes from the document.
  case dynamic
  /// The literal is not an I-Regexp, so the result is always false (RFC 9535 §2.4.6).
  case never
  case ready(IRegexp)
}
