/// An I-Regexp (RFC 9485): the regular expressions that every JSONPath reader shares.
///
/// It is matched by following all ways at once (Thompson's construction, as Pike does it), so the time is at most the
/// text's length times the pattern's, whatever the pattern; there is no catastrophic input. Matching is by code point.
///
/// The grammar of RFC 9485 has no anchors and takes `^` and `$` literally, while JSONPath's compliance test suite expects
/// them to anchor, as people do. Here a `^` that begins a branch and a `$` that ends one are anchors; elsewhere they are
/// themselves, and `[$]` or `\^` always are.
package struct IRegexp: Sendable {
  /// The expression as it was written.
  package let text: String
  private let program: IRegexpProgram

  /// - Throws: what is wrong and where, with the I-Regexp way of writing what other dialects write otherwise.
  package init(parsing text: String) throws(JSONPathSyntaxError) {
    var parser = IRegexpParser(text)
    program = try IRegexpProgram(try parser.wholeExpression())
    self.text = text
  }

  /// Whether the expression matches all of the text: JSONPath's `match`, the workflow language's `matches`.
  package func matches(_ text: String, within budget: QueryBudget = .standard) throws(QueryFailure) -> Bool {
    try test(text, anywhere: false, budget)
  }

  /// Whether some part of the text, an empty one included, matches: JSONPath's `search`.
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

  /// - Parameter steps: is increased by the steps that were made.
  /// - Returns: whether it matches, or nil if that takes more steps than the limit.
  func test(_ text: String, anywhere: Bool, steps: inout Int, limit: Int) -> Bool? {
    program.run(on: text, anywhere: anywhere, steps: &steps, limit: limit)
  }

  /// The number of instructions.
  var size: Int { program.size }
}

/// What an expression is made of.
indirect enum IRegexpTree: Sendable {
  case set(CharacterSet)
  /// The empty place before all of the text, or after it.
  case beginning
  case end
  case sequence([IRegexpTree])
  case alternatives([IRegexpTree])
  /// `most` is nil where there is no upper bound.
  case repetition(IRegexpTree, least: Int, most: Int?)
}

/// The code points that one position may hold.
struct CharacterSet: Sendable {
  var isNegated = false
  var ranges: [ClosedRange<UInt32>] = []
  /// General categories, such as `L` or `Nd`; negated ones (`\P`) apart.
  var categories: [UnicodeCategory] = []
  var excludedCategories: [UnicodeCategory] = []

  /// The number of its parts.
  var size: Int { ranges.count + categories.count + excludedCategories.count }

  static func only(_ scalar: Unicode.Scalar) -> CharacterSet {
    CharacterSet(ranges: [scalar.value...scalar.value])
  }

  /// `.`: anything but the two line ends of RFC 9485 §4.
  static let dot = CharacterSet(isNegated: true, ranges: [0x0A...0x0A, 0x0D...0x0D])

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    let found =
      ranges.contains { $0.contains(scalar.value) } || categories.contains { $0.contains(scalar) }
      || excludedCategories.contains { !$0.contains(scalar) }
    return found != isNegated
  }
}
