/// An I-Regexp (RFC 9485), the interoperable subset of regular expressions.
///
/// Matching follows all alternatives at the same time (Thompson's construction, Pike's simulation). The running time is
/// bounded by the product of the text length and the pattern length, so no pattern takes exponential time. Characters
/// are matched by code point.
///
/// In RFC 9485's grammar, `^` and `$` are literals, but the JSONPath compliance test suite expects anchors. Here,
/// `^` at the start of a branch and `$` at its end are anchors. Elsewhere, and always in `[$]` and `\^`, they are
/// literals.
package struct IRegexp: Sendable {
  /// The source text of the expression.
  package let text: String
  private let program: IRegexpProgram

  /// - Throws: The error and its location. For syntax from other dialects, the error's help suggests an I-Regexp
  ///   equivalent.
  package init(parsing text: String) throws(JSONPathSyntaxError) {
    var parser = IRegexpParser(text)
    program = try IRegexpProgram(try parser.wholeExpression())
    self.text = text
  }

  /// Whether the expression matches the complete text, as for `match` in JSONPath and `matches` in the workflow
  /// language.
  package func matches(_ text: String, within budget: QueryBudget = .standard) throws(QueryFailure) -> Bool {
    try test(text, anywhere: false, budget)
  }

  /// Whether the expression matches a part of the text, as for `search` in JSONPath. The part can be empty.
  package func occurs(in text: String, within budget: QueryBudget = .standard) throws(QueryFailure) -> Bool {
    try test(text, anywhere: true, budget)
  }

  private func test(_ text: String, anywhere: Bool, _ budget: QueryBudget) throws(QueryFailure) -> Bool {
    var steps = 0
    let limit = budget.visits * QueryBudget.stepsPerVisit
    guard let holds = test(text, anywhere: anywhere, steps: &steps, limit: limit) else {
      throw .exceeded(.visits, of: budget.visits, offset: 0)
    }
    return holds
  }

  /// - Parameter steps: A counter to which the method adds the number of steps taken.
  /// - Returns: Whether the expression matches, or nil if matching takes more steps than the limit.
  func test(_ text: String, anywhere: Bool, steps: inout Int, limit: Int) -> Bool? {
    program.run(on: text, anywhere: anywhere, steps: &steps, limit: limit)
  }

  /// The number of instructions.
  var size: Int { program.size }
}

/// The syntax tree of an expression.
indirect enum IRegexpTree: Sendable {
  case set(CharacterSet)
  /// The start of the text, or its end.
  case textStart
  case end
  case sequence([IRegexpTree])
  case alternatives([IRegexpTree])
  /// A repeated expression. `most` is nil if there is no upper bound.
  case repetition(IRegexpTree, minimum: Int, maximum: Int?)
}

/// A set of code points.
struct CharacterSet: Sendable {
  var isNegated = false
  var ranges: [ClosedRange<UInt32>] = []
  /// General categories, such as `L` or `Nd`. Negated categories (`\P`) are stored separately.
  var categories: [UnicodeCategory] = []
  var excludedCategories: [UnicodeCategory] = []

  /// The number of ranges and categories.
  var size: Int { ranges.count + categories.count + excludedCategories.count }

  static func only(_ scalar: Unicode.Scalar) -> CharacterSet {
    CharacterSet(ranges: [scalar.value...scalar.value])
  }

  /// `.`: any character except the two line endings of RFC 9485 §4.
  static let dot = CharacterSet(isNegated: true, ranges: [0x0A...0x0A, 0x0D...0x0D])

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let isIncluded =
      ranges.contains { $0.contains(scalar.value) } || categories.contains { $0.contains(scalar) }
      || excludedCategories.contains { !$0.contains(scalar) }
    return isIncluded != isNegated
  }
}
