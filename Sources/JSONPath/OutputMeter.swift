/// Measures a result before it is written, so that nothing too large is ever made.
package struct OutputMeter {
  private let limit: Int
  private let offset: Int
  private var bytes = 0
  private var nextLook = Self.interval

  /// The number of bytes between two looks at the task.
  private static let interval = 1 << 20

  /// - Parameter query: the query that is named as the reason.
  package init(of query: JSONPathQuery, budget: QueryBudget = .standard) {
    limit = budget.output
    // The last segment is the one that multiplies the output.
    offset = query.segments.last?.offset ?? 0
  }

  package mutating func take(bytes count: Int) throws(QueryFailure) {
    bytes += count
    guard bytes <= limit else { throw .exceeded(.output, of: limit, offset: offset) }
    guard bytes >= nextLook else { return }
    nextLook = bytes + Self.interval
    if Task.isCancelled { throw .canceled }
  }

  package mutating func take(_ path: NormalizedPath) throws(QueryFailure) {
    for step in path.steps {
      switch step {
      case .member(let name): try take(bytes: name.utf8.count + 4)
      case .element: try take(bytes: 3)
      }
    }
    try take(bytes: 4)
  }

  /// Adds a value as indented JSON text, without the escapes of its strings.
  package mutating func take<Value: QueryableValue>(_ value: Value) throws(QueryFailure) {
    // A stack of its own: documents can be deep.
    var waiting: [(value: Value, depth: Int)] = [(value, 1)]
    while let (value, depth) = waiting.popLast() {
      // The indentation, a comma, and the line end.
      try take(bytes: 2 * depth + 2)
      switch value.queryForm {
      case .string(let text): try take(bytes: text.utf8.count + 2)
      case .null, .bool, .integer, .real: try take(bytes: 4)
      case .array:
        try check(value.queryCount)
        for element in value.queryElements { waiting.append((element, depth + 1)) }
      case .object:
        try check(value.queryCount)
        var names = 0
        value.forEachQueryMember { name, member in
          names += name.utf8.count + 4
          waiting.append((member, depth + 1))
        }
        try take(bytes: names)
      }
    }
  }

  /// Each child takes a byte at least: too many of them are refused before they are listed.
  private func check(_ children: Int) throws(QueryFailure) {
    guard children <= limit - bytes else { throw .exceeded(.output, of: limit, offset: offset) }
  }
}
