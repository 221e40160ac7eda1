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

  func holds(_ expression: LogicalExpression, at current: Value) -> Bool {
    switch expression {
    case .any(let alternatives): alternatives.contains { holds($0, at: current) }
    case .all(let parts): parts.allSatisfy { holds($0, at: current) }
    case .not(let inner): !holds(inner, at: current)
    case .exists(let query): !values(query, at: current).isEmpty
    case .match(let test): matches(test, at: current)
    case .comparison(let left, let comparison, let right):
      compare(outcome(of: left, at: current), comparison, outcome(of: right, at: current))
    }
  }

  private func outcome(of operand: ComparisonOperand, at current: Value) -> Outcome {
    switch operand {
    case .literal(let literal): return .form(literal)
    case .query(let query), .value(let query):
      // A singular query gives one node at most; value() gives Nothing for several.
      let found = values(query, at: current)
      return found.count == 1 ? .node(found[0]) : .nothing
    case .count(let query): return .form(.integer(Int64(values(query, at: current).count)))
    case .length(let inner):
      let outcome = outcome(of: inner, at: current)
      switch outcome.form {
      case .string(let text): return .form(.integer(Int64(text.unicodeScalars.count)))
      case .array, .object:
        guard case .node(let value) = outcome else { return .nothing }
        return .form(.integer(Int64(value.queryCount)))
      default: return .nothing
      }
    }
  }

  private func matches(_ test: PatternTest, at current: Value) -> Bool {
    let pattern: IRegexp
    switch test.compiled {
    case .never: return false
    case .ready(let ready): pattern = ready
    case .later:
      guard case .string(let text) = outcome(of: test.pattern, at: current).form, let known = compiled(text) else {
        return false
      }
      pattern = known
    }
    guard case .string(let subject) = outcome(of: test.subject, at: current).form else { return false }
    return test.whole ? pattern.matches(subject) : pattern.occurs(in: subject)
  }

  private func compiled(_ text: String) -> IRegexp? {
    if let known = patterns[text] { return known }
    let pattern: IRegexp?
    do {
      pattern = try IRegexp(parsing: text)
    } catch {
      pattern = nil
    }
    patterns[text] = .some(pattern)
    return pattern
  }

  // MARK: Comparisons (RFC 9535 §2.3.5.2.2)

  private func compare(_ left: Outcome, _ comparison: ComparisonOperator, _ right: Outcome) -> Bool {
    switch comparison {
    case .equal: isEqual(left, right)
    case .notEqual: !isEqual(left, right)
    case .less: isLess(left, right)
    case .greater: isLess(right, left)
    case .lessOrEqual: isLess(left, right) || isEqual(left, right)
    case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
    }
  }

  private func isEqual(_ left: Outcome, _ right: Outcome) -> Bool {
    guard let leftForm = left.form, let rightForm = right.form else { return left.form == nil && right.form == nil }
    if case .node(let leftNode) = left, case .node(let rightNode) = right { return isEqual(leftNode, rightNode) }
    return QueryForm.areEqualScalars(leftForm, rightForm)
  }

  private func isEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left.queryForm, right.queryForm) {
    case (.array, .array):
      return left.queryCount == right.queryCount && zip(left.queryElements, right.queryElements).allSatisfy(isEqual)
    case (.object, .object):
      guard left.queryCount == right.queryCount else { return false }
      var equal = true
      left.forEachQueryMember { name, value in
        guard equal else { return }
        equal = right.queryMember(name).map { isEqual(value, $0) } ?? false
      }
      return equal
    case (let leftForm, let rightForm): return QueryForm.areEqualScalars(leftForm, rightForm)
    }
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
