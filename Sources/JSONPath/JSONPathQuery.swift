/// A parsed JSONPath query (RFC 9535), which can be evaluated on any number of values.
package struct JSONPathQuery: Sendable {
  /// The source text of the query.
  package let text: String
  let segments: [Segment]

  /// Parses a query. Throws an error unless the query is well-formed and valid (RFC 9535 §2.1).
  package init(parsing text: String) throws(JSONPathSyntaxError) {
    var parser = JSONPathParser(text)
    segments = try parser.wholeQuery()
    self.text = text
  }

  /// Whether the query selects at most one node of any value (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { segments.allSatisfy(\.isSingular) }

  /// Returns the selected nodes in the order that RFC 9535 specifies. Object members are in document order.
  package func select<Value: QueryableValue>(
    from value: Value, within budget: QueryBudget = .standard
  ) throws(QueryFailure) -> [Match<Value>] {
    let evaluator = Evaluator(root: value, tracksPaths: true, budget: budget)
    return try evaluator.nodes(segments, from: value).map { Match(value: $0.value, path: $0.path) }
  }

  /// Returns the selected values. This is faster than `select`.
  package func values<Value: QueryableValue>(
    in value: Value, within budget: QueryBudget = .standard
  ) throws(QueryFailure) -> [Value] {
    try Evaluator(root: value, tracksPaths: false, budget: budget).nodes(segments, from: value).map(\.value)
  }
}

/// A selected node.
package struct Match<Value: QueryableValue>: Sendable {
  package var value: Value
  private let path: PathLink?

  init(value: Value, path: PathLink?) {
    self.value = value
    self.path = path
  }

  /// The path from the root to this node.
  package var normalizedPath: NormalizedPath { PathLink.path(to: path) }
}

extension JSONPathQuery: Hashable, CustomStringConvertible {
  package static func == (lhs: Self, rhs: Self) -> Bool { lhs.text.utf8.elementsEqual(rhs.text.utf8) }
  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
  package var description: String { text }
}
