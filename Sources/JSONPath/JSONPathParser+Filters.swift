extension JSONPathParser {
  /// `logical-or-expr`: `&&` binds tighter than `||`.
  mutating func logicalExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    try enter(at: index)
    defer { depth -= 1 }
    var alternatives = [try conjunction()]
    while takeOperator("||") {
      skipBlanks()
      alternatives.append(try conjunction())
    }
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func conjunction() throws(JSONPathSyntaxError) -> LogicalExpression {
    var parts = [try basicExpression()]
    while takeOperator("&&") {
      skipBlanks()
      parts.append(try basicExpression())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Blanks and the operator; nothing is read where it does not follow.
  private mutating func takeOperator(_ spelling: String) -> Bool {
    let before = index
    skipBlanks()
    if take(spelling) { return true }
    index = before
    return false
  }

  /// `paren-expr / comparison-expr / test-expr`
  private mutating func basicExpression() throws(JSONPathSyntaxError) -> LogicalExpression {
    let start = index
    if take("!") {
      skipBlanks()
      if peek == UInt8(ascii: "!") { throw error("one ! is enough") }
      let negated = peek == UInt8(ascii: "(") ? try parentheses() : try test(of: try term(), from: start)
      if comparisonFollows {
        throw JSONPathSyntaxError(
          offset: start, message: "! belongs to the whole comparison", help: "write !(…), or the opposite operator")
      }
      return .not(negated)
    }
    if peek == UInt8(ascii: "(") {
      let inner = try parentheses()
      if comparisonFollows { throw error("a result of parentheses is true or false and cannot be compared") }
      return inner
    }
    let left = try term()
    guard let comparison = try comparisonOperator() else { return try test(of: left, from: start) }
    let leftOperand = try operand(left, from: start)
    skipBlanks()
    let rightStart = index
    let rightOperand = try operand(try term(), from: rightStart)
    if comparisonFollows { throw error("comparisons are joined with && or ||, never chained") }
    return .comparison(leftOperand, comparison, rightOperand)
  }

  private mutating func parentheses() throws(JSONPathSyntaxError) -> LogicalExpression {
    let open = index
    index += 1
    skipBlanks()
    let inner = try logicalExpression()
    skipBlanks()
    guard take(")") else {
      if peek == nil { throw JSONPathSyntaxError(offset: open, message: "this parenthesis is never closed") }
      throw unexpected(after: "the expression")
    }
    return inner
  }

  private var comparisonFollows: Bool {
    var ahead = self
    ahead.skipBlanks()
    return ComparisonOperator.allCases.contains { ahead.take($0.rawValue) }
  }

  private mutating func comparisonOperator() throws(JSONPathSyntaxError) -> ComparisonOperator? {
    let before = index
    skipBlanks()
    if take("=~") {
      index -= 2
      throw error(
        "RFC 9535 has no =~", help: "write match(@.name, 'pattern') for all of a string, search(…) for a part")
    }
    if let found = ComparisonOperator.allCases.first(where: { take($0.rawValue) }) { return found }
    if peek == UInt8(ascii: "=") { throw error("equality is written ==") }
    if peek == UInt8(ascii: "&"), !bytes[index...].starts(with: "&&".utf8) { throw error("“and” is written &&") }
    if peek == UInt8(ascii: "|"), !bytes[index...].starts(with: "||".utf8) { throw error("“or” is written ||") }
    index = before
    return nil
  }

  // MARK: Terms

  /// What a test or a comparison is made of, before it is known which.
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
      throw error("the query ends where a test was due")
    default:
      throw error("a test begins with @, $, a function, a literal, ! or (")
    }
  }

  private mutating func embeddedQuery() throws(JSONPathSyntaxError) -> EmbeddedQuery {
    let isAbsolute = bytes[index] == UInt8(ascii: "$")
    index += 1
    let number = embeddedQueries
    embeddedQueries += 1
    return EmbeddedQuery(isAbsolute: isAbsolute, segments: try segments(), number: number)
  }

  /// `true`, `false`, `null`, or a function.
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
        throw error("no blank may stand between a function's name and its parenthesis")
      }
      let lowered = name.lowercased()
      let help =
        ["true", "false", "null"].contains(lowered)
        ? "write \(lowered)" : "a member is written @.\(name), a text '\(name)'"
      throw JSONPathSyntaxError(offset: start, message: "“\(name)” is no value", help: help)
    }
    index += 1
    try enter(at: start)
    defer { depth -= 1 }
    return try function(name, from: start)
  }

  // MARK: Functions

  /// The functions of RFC 9535 §2.4; their types are checked while reading (§2.4.3).
  private mutating func function(_ name: String, from start: Int) throws(JSONPathSyntaxError) -> Term {
    let arguments = try self.arguments()
    func needs(_ count: Int) throws(JSONPathSyntaxError) {
      guard arguments.count == count else {
        throw JSONPathSyntaxError(
          offset: start, message: "\(name)() takes \(count == 1 ? "one argument" : "\(count) arguments")")
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
        PatternTest(subject: subject, pattern: pattern, whole: name == "match", compiled: Self.compile(pattern)),
        name: name)
    default:
      throw JSONPathSyntaxError(
        offset: start, message: "there is no function “\(name)”",
        help: "RFC 9535 has length, count, match, search and value")
    }
  }

  /// Arguments from behind the opening parenthesis to behind the closing one.
  private mutating func arguments() throws(JSONPathSyntaxError) -> [(term: Term, offset: Int)] {
    var result: [(term: Term, offset: Int)] = []
    skipBlanks()
    if take(")") { return result }
    while true {
      skipBlanks()
      let start = index
      if peek == UInt8(ascii: "!") || peek == UInt8(ascii: "(") {
        throw error("none of RFC 9535's functions takes a true-or-false argument")
      }
      result.append((try term(), start))
      if comparisonFollows { throw error("none of RFC 9535's functions takes a comparison") }
      skipBlanks()
      if take(",") { continue }
      if take(")") { return result }
      throw unexpected(after: "the argument")
    }
  }

  private static func compile(_ pattern: ComparisonOperand) -> CompiledPattern {
    guard case .literal(let literal) = pattern else { return .later }
    guard case .string(let text) = literal else { return .never }
    do {
      return .ready(try IRegexp(parsing: text))
    } catch {
      return .never
    }
  }

  // MARK: Types (RFC 9535 §2.4.3)

  /// The term as a test: existence, or a function that gives true or false.
  private func test(of term: Term, from start: Int) throws(JSONPathSyntaxError) -> LogicalExpression {
    switch term {
    case .query(let query): return .exists(query)
    case .logicalFunction(let test, _): return .match(test)
    case .valueFunction(_, let name):
      throw JSONPathSyntaxError(
        offset: start, message: "\(name)() gives a value, which is no test by itself",
        help: "compare it: \(name)(…) > 0")
    case .literal:
      throw JSONPathSyntaxError(offset: start, message: "a literal alone is no test", help: "compare it with something")
    }
  }

  /// The term as a ValueType: a literal, a singular query or a function that gives a value.
  private func operand(_ term: Term, from start: Int) throws(JSONPathSyntaxError) -> ComparisonOperand {
    switch term {
    case .literal(let literal): return .literal(literal)
    case .valueFunction(let operand, _): return operand
    case .query(let query):
      guard query.isSingular else {
        throw JSONPathSyntaxError(
          offset: start, message: "a query that may give several nodes cannot be used as one value",
          help: "take one with value(…), or count them with count(…)")
      }
      return .query(query)
    case .logicalFunction(_, let name):
      throw JSONPathSyntaxError(
        offset: start, message: "\(name)() gives true or false, which cannot be compared", help: "write it alone")
    }
  }

  private func nodes(
    _ argument: (term: Term, offset: Int), of function: String
  ) throws(JSONPathSyntaxError) -> EmbeddedQuery {
    guard case .query(let query) = argument.term else {
      throw JSONPathSyntaxError(
        offset: argument.offset, message: "\(function)() takes a query", help: "such as @.name or $..*")
    }
    return query
  }
}
