extension Evaluator {
  /// The result of a ValueType expression (RFC 9535 §2.4.1): Nothing, a computed value, or a node of the tree.
  private enum Outcome {
    case nothing
    case form(QueryForm)
    case node(Value)

    var form: QueryForm? {
      switch self {
      case .nothing: nil
      case .form(let form): form
      case .node(let value): value.queryForm
      }
    }
  }

  func isMatch(_ expression: LogicalExpression, at current: Value) throws(QueryFailure) -> Bool {
    try meter.spend(1)
    switch expression {
    case .any(let alternatives):
      for alternative in alternatives where try isMatch(alternative, at: current) { return true }
      return false
    case .all(let parts):
      for part in parts where try !isMatch(part, at: current) { return false }
      return true
    case .not(let inner): return try !isMatch(inner, at: current)
    case .exists(let query): return try !values(query, at: current).isEmpty
    case .match(let test): return try matches(test, at: current)
    case .comparison(let left, let comparison, let right):
      return try compare(outcome(of: left, at: current), comparison, outcome(of: right, at: current))
    }
  }

  private func outcome(of operand: ComparisonOperand, at current: Value) throws(QueryFailure) -> Outcome {
    switch operand {
    case .literal(let literal): return .form(literal)
    case .query(let query), .value(let query):
      // A singular query selects at most one node. For several nodes, value() returns Nothing.
      let nodes = try values(query, at: current)
      return nodes.count == 1 ? .node(nodes[0]) : .nothing
    case .count(let query): return .form(.integer(Int64(try values(query, at: current).count)))
    case .length(let inner):
      let outcome = try outcome(of: inner, at: current)
      switch outcome.form {
      case .string(let text):
        try meter.spend(text: text)
        return .form(.integer(Int64(text.unicodeScalars.count)))
      case .array, .object:
        guard case .node(let value) = outcome else { return .nothing }
        return .form(.integer(Int64(value.queryCount)))
      default: return .nothing
      }
    }
  }

  private func matches(_ test: PatternTest, at current: Value) throws(QueryFailure) -> Bool {
    let pattern: IRegexp
    switch test.compiled {
    case .never: return false
    case .ready(let ready): pattern = ready
    case .dynamic:
      guard case .string(let text) = try outcome(of: test.pattern, at: current).form,
        let cached = try compiled(text)
      else { return false }
      pattern = cached
    }
    guard case .string(let subject) = try outcome(of: test.subject, at: current).form else { return false }
    var steps = 0
    let limit = meter.left * QueryBudget.stepsPerVisit
    let isMatch = pattern.test(subject, anywhere: !test.matchesWhole, steps: &steps, limit: limit)
    try meter.spend(steps / QueryBudget.stepsPerVisit + 1)
    guard let isMatch else { throw .exceeded(.visits, of: meter.budget.visits, offset: meter.offset) }
    return isMatch
  }

  /// The maximum number of cached patterns. A document can contain a different pattern in each value.
  private static var maximumPatterns: Int { 32 }

  private func compiled(_ text: String) throws(QueryFailure) -> IRegexp? {
    if let cached = patterns[text] { return cached }
    let pattern: IRegexp?
    do {
      pattern = try IRegexp(parsing: text)
    } catch {
      pattern = nil
    }
    try meter.spend(text: text)
    try meter.spend((pattern?.size ?? 0) / QueryBudget.stepsPerVisit)
    if patterns.count >= Self.maximumPatterns { patterns = [:] }
    patterns[text] = .some(pattern)
    return pattern
  }

  // MARK: Comparisons (RFC 9535 §2.3.5.2.2)

  private func compare(
    _ left: Outcome, _ comparison: ComparisonOperator, _ right: Outcome
  ) throws(QueryFailure) -> Bool {
    // A comparison reads both strings up to the first difference or the end of the shorter string.
    if case .string(let leftText) = left.form, case .string(let rightText) = right.form {
      try meter.spend(text: leftText.utf8.count < rightText.utf8.count ? leftText : rightText)
    }
    return switch comparison {
    case .equal: try isEqual(left, right)
    case .notEqual: try !isEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: if isLess(left, right) { true } else { try isEqual(left, right) }
    case .greaterOrEqual: if isLess(right, left) { true } else { try isEqual(left, right) }
    }
  }

  private func isEqual(_ left: Outcome, _ right: Outcome) throws(QueryFailure) -> Bool {
    guard let leftForm = left.form, let rightForm = right.form else { return left.form == nil && right.form == nil }
    if case .node(let leftNode) = left, case .node(let rightNode) = right { return try isEqual(leftNode, rightNode) }
    return QueryForm.areEqualScalars(leftForm, rightForm)
  }

  /// Whether two values are equal. The comparison is iterative, because values can be deeply nested.
  private func isEqual(_ left: Value, _ right: Value) throws(QueryFailure) -> Bool {
    var waiting = [(left, right)]
    while let (left, right) = waiting.popLast() {
      switch (left.queryForm, right.queryForm) {
      case (.array, .array):
        guard left.queryCount == right.queryCount else { return false }
        try meter.spend(left.queryCount)
        waiting.append(contentsOf: zip(left.queryElements, right.queryElements))
      case (.object, .object):
        guard left.queryCount == right.queryCount else { return false }
        // Finding a member by name takes linear time in a document.
        try meter.spend(left.queryCount * (1 + right.queryCount / QueryBudget.stepsPerVisit))
        var hasAll = true
        left.forEachQueryMember { name, value in
          guard hasAll else { return }
          if let other = right.queryMember(name) { waiting.append((value, other)) } else { hasAll = false }
        }
        guard hasAll else { return false }
      case (.string(let leftText), .string(let rightText)):
        try meter.spend(text: leftText)
        guard leftText.utf8.elementsEqual(rightText.utf8) else { return false }
      case (let leftForm, let rightForm):
        guard QueryForm.areEqualScalars(leftForm, rightForm) else { return false }
      }
    }
    return true
  }

  /// Whether a value is less than another. Only numbers and strings are ordered. Strings are compared by code point.
  private func isLess(_ left: Outcome, _ right: Outcome) -> Bool {
    switch (left.form, right.form) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.real(let left), .real(let right)): left < right
    // UTF-8 bytes sort in code point order. Swift's string order is different.
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}

extension QueryForm {
  /// Whether two scalars are equal. Returns false for containers.
  static func areEqualScalars(_ left: QueryForm, _ right: QueryForm) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.integer(let left), .real(let right)): Int64(exactly: right) == left
    case (.real(let left), .integer(let right)): Int64(exactly: left) == right
    case (.real(let left), .real(let right)): left == right
    // Compares code points: Swift's == considers canonically equivalent strings equal.
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }
}
