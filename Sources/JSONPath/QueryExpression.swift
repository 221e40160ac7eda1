/// A segment: the selectors applied to each node, or to each node and all below it (RFC 9535 §2.5).
struct Segment: Sendable {
  var descends: Bool
  var selectors: [Selector]
  /// Its position in the query, in UTF-8 bytes.
  var offset: Int

  /// Whether it gives at most one node for one (RFC 9535 §2.3.5.1).
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
  // Longest spellings first, because the parser takes the first that fits.
  case equal = "=="
  case notEqual = "!="
  case lessOrEqual = "<="
  case greaterOrEqual = ">="
  case less = "<"
  case greater = ">"
}

/// A query inside a filter, from `@` or from `$`.
struct EmbeddedQuery: Sendable {
  var isAbsolute: Bool
  var segments: [Segment]
  /// Numbers the absolute queries of one query: their result is the same for every node and is kept.
  var number: Int

  var isSingular: Bool { segments.allSatisfy(\.isSingular) }
}

/// What gives a ValueType (RFC 9535 §2.4.1): a value, or Nothing.
indirect enum ComparisonOperand: Sendable {
  case literal(QueryForm)
  case query(EmbeddedQuery)
  case length(ComparisonOperand)
  case count(EmbeddedQuery)
  case value(EmbeddedQuery)
}

/// `match` or `search`.
struct PatternTest: Sendable {
  var subject: ComparisonOperand
  var pattern: ComparisonOperand
  /// Whether the whole string must match (`match`), or any part of it (`search`).
  var whole: Bool
  /// The pattern compiled beforehand where it is a literal.
  var compiled: CompiledPattern
}

enum CompiledPattern: Sendable {
  /// It becomes known while the query runs.
  case later
  /// A literal that is no I-Regexp: the result is always false (RFC 9535 §2.4.6).
  case never
  case ready(IRegexp)
}
