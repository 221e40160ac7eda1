extension Evaluator {
  /// What a ValueType expression gave (RFC 9535 §2.4.1): Nothing, a value of its own, or a node of the tree.
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

  func holds(_ expression: LogicalExpression, at current: Value) throws(QueryFailure) -> Bool {
    try meter.spend(1)
    switch expression {
    case .any(let alternatives):
      for alternative in alternatives where try holds(alternative, at: current) { return true }
      return false
    case .all(let parts):
      for part in parts where try !holds(part, at: current) { return false }
      return true
    case .not(let inner): return try !holds(inner, at: current)
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
      // A singular query gives one node at most; value() gives Nothing for several.
      let found = try values(query, at: current)
      return found.count == 1 ? .node(found[0]) : .nothing
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
    case .later:
      guard case .string(let text) = try outcome(of: test.pattern, at: current).form,
        let known = try compiled(text)
      else { return false }
      pattern = known
    }
    guard case .string(let subject) = try outcome(of: test.subject, at: current).form else { return false }
    var steps = 0
    let limit = meter.left * QueryBudget.stepsPerVisit
    let holds = pattern.test(subject, anywhere: !test.whole, steps: &steps, limit: limit)
    try meter.spend(steps / QueryBudget.stepsPerVisit + 1)
    guard let holds else { throw .exceeded(.visits, of: meter.budget.visits, offset: meter.offset) }
    return holds
  }

  /// Each value of a document can be another pattern: only so many are kept.
  private static var mostPatterns: Int { 32 }

  private func compiled(_ text: String) throws(QueryFailure) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern: IRegexp?
    do {
      pattern = try IRegexp(parsing: text)
    } catch {
      pattern = nil
    }
    try meter.spend(text: text)
    try meter.spend((pattern?.size ?? 0) / QueryBudget.stepsPerVisit)
    if patterns.count >= Self.mostPatterns { patterns = [:] }
    patterns[text] = .some(pattern)
    return pattern
  }

  // MARK: Comparisons (RFC 9535 §2.3.5.2.2)

  private func compare(
    _ left: Outcome, _ comparison: ComparisonOperator, _ right: Outcome
  ) throws(QueryFailure) -> Bool {
    // A comparison of texts reads them as far as they agree, which is not beyond the shorter one.
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

  /// Compares with a stack of its own, because values can be deep.
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
        // Members are found by name, which takes a walk in a document.
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

  /// Only numbers and strings have an order; strings compare by code points.
  private func isLess(_ left: Outcome, _ right: Outcome) -> Bool {
    switch (left.form, right.form) {
    case (.integer(let left), .integer(let right)): left < right
    case (.integer(let left), .real(let right)): Double(left) < right
    case (.real(let left), .integer(let right)): left < Double(right)
    case (.real(let left), .real(let right)): left < right
    // UTF-8 orders as code points do; Swift's own order is another.
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}

extension QueryForm {
  /// Whether two scalars are the same value; containers are never equal here.
  static func areEqualScalars(_ left: QueryForm, _ right: QueryForm) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.integer(let left), .real(let right)): Int64(exactly: right) == left
    case (.real(let left), .integer(let right)): Int64(exactly: left) == right
    case (.real(let left), .real(let right)): left == right
    // Code point by code point: Swift's == holds canonically equivalent texts for equal.
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    default: false
    }
  }
}
