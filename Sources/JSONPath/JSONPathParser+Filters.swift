extension JSONPathParser {
  /// Parses `logical-or-expr`. `&&` binds more tightly than `||`.
  mutating func logicalExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    try enter(at: index)
    defer { depth -= 1 }
    var alternatives = [try conjunction()]
    while readOperator("||") {
      skipBlanks()
      alternatives.append(try conjunction())
    }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func conjunction() throws(JSONPathSyntaxError) -> LogicalExpression {
    var parts = [try basicExpression()]
    while readOperator("&&") {
      skipBlanks()
      parts.append(try basicExpression())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Skips whitespace and reads the operator. If the operator does not follow, the position does not change.
  private mutating func readOperator(_ spelling: String) -> Bool {
    let before = index
    skipBlanks()
    if read(spelling) { return true }
    index = before
    return false
  }

  /// Parses `paren-expr / comparison-expr / test-expr`.
  private mutating func basicExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    let start = index
    if read("!") {
      skipBlanks()
      if peek == UInt8(ascii: "!") { throw error("repeated `!`") }
      let negated = peek == UInt8(ascii: "(") ? try parentheses() : try test(of: try term(), from: start)
      if comparisonFollows {
        throw JSONPathSyntaxError(
          offset: start, message: "`!` before a comparison", help: "write `!(…)`, or use the opposite operator")
      }
      return .not(negated)
    }
    if peek == UInt8(ascii: "(") {
      let inner = try parentheses()
      if comparisonFollows { throw error("comparison with an expression in parentheses") }
      return inner
    }
    let left = try term()
    guard let comparison = try comparisonOperator() else { return try test(of: left, from: start) }
    let leftOperand = try operand(left, from: start)
    skipBlanks()
    let rightStart = index
    let rightOperand = try operand(try term(), from: rightStart)
    if comparisonFollows { throw error("chained comparison: join comparisons with `&&` or `||`") }
    return .comparison(leftOperand, comparison, rightOperand)
  }

  private mutating func parentheses() throws(JSONPathSyntaxError) -> LogicalExpression {
    let open = index
    index += 1
    skipBlanks()
    let inner = try logicalExpression()
    skipBlanks()
    guard read(")") else {
      if peek == nil { throw JSONPathSyntaxError(offset: open, message: "unclosed parenthesis") }
      throw unexpected(after: "the expression")
    }
    return inner
  }

  private var comparisonFollows: Bool {
    var ahead = self
    ahead.skipBlanks()
    return ComparisonOperator.allCases.contains { ahead.read($0.rawValue) }
  }

  private mutating func comparisonOperator() throws(JSONPathSyntaxError) -> ComparisonOperator? {
    let before = index
    skipBlanks()
    if read("=~") {
      index -= 2
      throw error(
        "unsupported operator `=~`",
        help: "use `match(@.name, 'pattern')` for a complete string, or `search(…)` for a part")
    }
    if let match = ComparisonOperator.allCases.first(where: { read($0.rawValue) }) { return match }
    if peek == UInt8(ascii: "=") { throw error("invalid operator `=`: use `==`") }
    if peek == UInt8(ascii: "&"), !bytes[index...].starts(with: "&&".utf8) {
      throw error("invalid operator `&`: use `&&`")
    }
    if peek == UInt8(ascii: "|"), !bytes[index...].starts(with: "||".utf8) {
      throw error("invalid operator `|`: use `||`")
    }
    index = before
    return nil
  }

  // MARK: Terms

  /// An operand that can still belong to a test or a comparison.
  private enum Term {
    case literal(QueryForm)
    case query(EmbeddedQuery)
    case valueFunction(ComparisonOperand, name: String)
    case logicalFunction(PatternTest, name: String)
  }

  private mutating func term() throws(JSONPathSyntaxError) -> Term {
    switch peek {
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      return .query(try embeddedQuery())
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .literal(.string(try string()))
    case .some(let byte) where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      return .literal(try number())
    case .some(let byte) where Self.isNameStart(byte):
      return try word()
    case nil:
      throw error("unexpected end of the query, expected a test")
    default:
      throw error("expected a test: `@`, `$`, a function, a literal, `!`, or `(`")
    }
  }

  private mutating func embeddedQuery() throws(JSONPathSyntaxError) -> EmbeddedQuery {
    let isAbsolute = bytes[index] == UInt8(ascii: "$")
    index += 1
    let number = embeddedQueries
    embeddedQueries += 1
    return EmbeddedQuery(isAbsolute: isAbsolute, segments: try segments(), number: number)
  }

  /// Reads `true`, `false`, `null`, or a function.
  private mutating func word() throws(JSONPathSyntaxError) -> Term {
    let start = index
    while let next = peek, Self.isNameStart(next) || Self.isDigit(next) { index += 1 }
    let name = String(decoding: bytes[start..<index], as: UTF8.self)
    if peek != UInt8(ascii: "(") {
      switch name {
      case "true": return .literal(.bool(true))
      case "false": return .literal(.bool(false))
      case "null": return .literal(.null)
      default: break
      }
      if bytes[index...].first(where: { !Self.isBlank($0) }) == UInt8(ascii: "(") {
        throw error("whitespace between a function name and its parenthesis")
      }
      let lowered = name.lowercased()
      let help =
        ["true", "false", "null"].contains(lowered)
        ? "write `\(lowered)`" : "write `@.\(name)` for a member, or `'\(name)'` for a string"
      throw JSONPathSyntaxError(offset: start, message: "unknown value `\(name)`", help: help)
    }
    index += 1
    try enter(at: start)
    defer { depth -= 1 }
    return try function(name, from: start)
  }

  // MARK: Functions

  /// Parses a function call (RFC 9535 §2.4) and checks the types (§2.4.3).
  private mutating func function(_ name: String, from start: Int) throws(JSONPathSyntaxError) -> Term {
    let arguments = try self.arguments()
    func needs(_ count: Int) throws(JSONPathSyntaxError) {
      guard arguments.count == count else {
        throw JSONPathSyntaxError(
          offset: start, message: "`\(name)()` requires \(count == 1 ? "one argument" : "\(count) arguments")")
      }
    }
    switch name {
    case "length":
      try needs(1)
      return .valueFunction(.length(try operand(arguments[0].term, from: arguments[0].offset)), name: name)
    case "count":
      try needs(1)
      return .valueFunction(.count(try nodes(arguments[0], of: name)), name: name)
    case "value":
      try needs(1)
      return .valueFunction(.value(try nodes(arguments[0], of: name)), name: name)
    case "match", "search":
      try needs(2)
      let subject = try operand(arguments[0].term, from: arguments[0].offset)
      let pattern = try operand(arguments[1].term, from: arguments[1].offset)
      return .logicalFunction(
        PatternTest(subject: subject, pattern: pattern, matchesWhole: name == "match", compiled: Self.compile(pattern)),
        name: name)
    default:
      throw JSONPathSyntaxError(
        offset: start, message: "unknown function `\(name)`",
        help: "use `length`, `count`, `match`, `search`, or `value`")
    }
  }

  /// Reads the arguments and the closing parenthesis, starting after the opening parenthesis.
  private mutating func arguments() throws(JSONPathSyntaxError) -> [(term: Term, offset: Int)] {
    var result: [(term: Term, offset: Int)] = []
    skipBlanks()
    if read(")") { return result }
    while true {
      skipBlanks()
      let start = index
      if peek == UInt8(ascii: "!") || peek == UInt8(ascii: "(") {
        throw error("logical expression as a function argument")
      }
      result.append((try term(), start))
      if comparisonFollows { throw error("comparison as a function argument") }
      skipBlanks()
      if read(",") { continue }
      if read(")") { return result }
      throw unexpected(after: "the argument")
    }
  }

  private static func compile(_ pattern: ComparisonOperand) -> CompiledPattern {
    guard case .literal(let literal) = pattern else { return .dynamic }
    guard case .string(let text) = literal else { return .never }
    do {
      return .ready(try IRegexp(parsing: text))
    } catch {
      return .never
    }
  }

  // MARK: Types (RFC 9535 §2.4.3)

  /// Converts the term to a test: an existence test, or a function with a logical result.
  private func test(of term: Term, from start: Int) throws(JSONPathSyntaxError) -> LogicalExpression {
    switch term {
    case .query(let query): return .exists(query)
    case .logicalFunction(let test, _): return .match(test)
    case .valueFunction(_, let name):
      throw JSONPathSyntaxError(
        offset: start, message: "`\(name)()` returns a value and is not a test",
        help: "compare the result, such as `\(name)(…) > 0`")
    case .literal:
      throw JSONPathSyntaxError(offset: start, message: "a literal is not a test", help: "compare it with a value")
    }
  }

  /// Converts the term to a ValueType expression: a literal, a singular query, or a function that returns a value.
  private func operand(_ term: Term, from start: Int) throws(JSONPathSyntaxError) -> ComparisonOperand {
    switch term {
    case .literal(let literal): return .literal(literal)
    case .valueFunction(let operand, _): return operand
    case .query(let query):
      guard query.isSingular else {
        throw JSONPathSyntaxError(
          offset: start, message: "query used as a value can select several nodes",
          help: "use `value(…)` for a single node, or `count(…)`")
      }
      return .query(query)
    case .logicalFunction(_, let name):
      throw JSONPathSyntaxError(
        offset: start, message: "comparison with the logical result of `\(name)()`",
        help: "use the function without a comparison")
    }
  }

  private func nodes(
    _ argument: (term: Term, offset: Int), of function: String
  ) throws(JSONPathSyntaxError) -> EmbeddedQuery {
    guard case .query(let query) = argument.term else {
      throw JSONPathSyntaxError(
        offset: argument.offset, message: "`\(function)()` requires a query",
        help: "pass a query such as `@.name` or `$..*`")
    }
    return query
  }
}
