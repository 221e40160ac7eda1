/// A meter that measures a result's size before the result is written and rejects results that are too large.
package struct OutputMeter {
  private let limit: Int
  private let offset: Int
  private var bytes = 0
  private var nextLook = Self.interval

  /// The number of bytes between checks for cancellation.
  private static let interval = 1 << 20

  /// - Parameter query: The query to which errors refer.
  package init(of query: JSONPathQuery, budget: QueryBudget = .standard) {
    limit = budget.output
    // Report the last segment, because it multiplies the output.
    offset = query.segments.last?.offset ?? 0
  }

  package mutating func add(bytes count: Int) throws(QueryFailure) {
    bytes += count
    guard bytes <= limit else { throw .exceeded(.output, of: limit, offset: offset) }
    guard bytes >= nextLook else { return }
    nextLook = bytes + Self.interval
    if Task.isCancelled { throw .canceled }
  }

  package mutating func add(_ path: NormalizedPath) throws(QueryFailure) {
    for step in path.steps {
      switch step {
      case .member(let name): try add(bytes: name.utf8.count + 4)
      case .element: try add(bytes: 3)
      }
    }
    try add(bytes: 4)
  }

  /// Adds the size of a value as indented JSON, excluding string escapes.
  package mutating func add<Value: QueryableValue>(_ value: Value) throws(QueryFailure) {
    // Uses an explicit stack, because documents can be deeply nested.
    var waiting: [(value: Value, depth: Int)] = [(value, 1)]
    while let (value, depth) = waiting.popLast() {
      // The indentation, a comma, and the line ending.
      try add(bytes: 2 * depth + 2)
      switch value.queryForm {
      case .string(let text): try add(bytes: text.utf8.count + 2)
      case .null, .bool, .integer, .real: try add(bytes: 4)
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
        try add(bytes: names)
      }
    }
  }

  /// Rejects a value with too many children before they are visited. Each child takes at least one byte.
  private func check(_ children: Int) throws(QueryFailure) {
    guard children <= limit - bytes else { throw .exceeded(.output, of: limit, offset: offset) }
  }
}
