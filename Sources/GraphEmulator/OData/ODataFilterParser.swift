import Documents

/// A parser for a `$filter` expression. `not` binds more tightly than `and`, and `and` binds more tightly than `or`.
struct ODataFilterParser {
  private enum Token: Equatable {
    case name(String)
    case string(String)
    case value(JSON)
    case open, close, comma, colon, end
  }

  private let text: String
  private let bytes: [UInt8]
  private var index = 0
  private var current = Token.end
  private var depth = 0
  /// The names of the lambda variables in scope.
  private var variables: [String] = []

  private static let maxDepth = 50
  private var terms = 0
  /// The maximum number of terms, which limits the recursion depth of the evaluation. Graph's limit is much lower.
  private static let maxTerms = 500

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(GraphErrorResponse) -> ODataFilter {
    try advance()
    let filter = try disjunction()
    guard current == .end else { throw failure }
    return filter
  }

  private var failure: GraphErrorResponse {
    .malformed("Invalid filter clause: syntax error at position \(min(index, bytes.count)) in '\(text)'.")
  }

  private func isName(_ word: String) -> Bool {
    if case .name(let name) = current { name.lowercased() == word } else { false }
  }

  private mutating func disjunction() throws(GraphErrorResponse) -> ODataFilter {
    var left = try conjunction()
    while isName("or") {
      try advance()
      left = .or(left, try conjunction())
    }
    return left
  }

  private mutating func conjunction() throws(GraphErrorResponse) -> ODataFilter {
    var left = try negation()
    while isName("and") {
      try advance()
      left = .and(left, try negation())
    }
    return left
  }

  private mutating func negation() throws(GraphErrorResponse) -> ODataFilter {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maxDepth else { throw .malformed("Invalid filter clause: nesting is too deep.") }
    if isName("not") {
      try advance()
      return .not(try negation())
    }
    if current == .open {
      try advance()
      let inner = try disjunction()
      try expect(.close)
      return inner
    }
    return try comparison()
  }

  private mutating func comparison() throws(GraphErrorResponse) -> ODataFilter {
    guard case .name(let word) = current else { throw failure }
    terms += 1
    guard terms <= Self.maxTerms else { throw .malformed("Invalid filter clause: too many child clauses.") }
    try advance()
    if current == .open, let function = ODataFilter.Function(rawValue: word.lowercased()) {
      return try call(function)
    }
    let path = word.split(separator: "/").map(String.init)
    if current == .open, path.count > 1, let quantifier = path.last?.lowercased(),
      quantifier == "any" || quantifier == "all"
    {
      return try lambda(quantifier, over: Array(path.dropLast()))
    }
    guard case .name(let operation) = current else { return .property(relative(path)) }
    if operation.lowercased() == "in" {
      try advance()
      return .oneOf(relative(path), try list())
    }
    guard let comparison = ODataFilter.Comparison(rawValue: operation.lowercased()) else {
      return .property(relative(path))
    }
    try advance()
    let literal = try literal()
    if path.last == "$count" {
      guard let count = literal.integer else { throw failure }
      return .size(relative(path.dropLast()), comparison, Int(count))
    }
    return .compare(relative(path), comparison, literal)
  }

  private mutating func call(_ function: ODataFilter.Function) throws(GraphErrorResponse) -> ODataFilter {
    try expect(.open)
    guard case .name(let path) = current else { throw failure }
    try advance()
    try expect(.comma)
    guard case .string(let text) = current else { throw failure }
    try advance()
    try expect(.close)
    let filter = ODataFilter.function(function, relative(path.split(separator: "/").map(String.init)), text)
    // Some libraries append a redundant comparison, as in `startswith(a,'b') eq true`.
    guard isName("eq") || isName("ne") else { return filter }
    let isEqual = isName("eq")
    try advance()
    guard let value = try literal().bool else { throw failure }
    return value == isEqual ? filter : .not(filter)
  }

  private mutating func lambda(_ quantifier: String, over path: [String]) throws(GraphErrorResponse) -> ODataFilter {
    try expect(.open)
    let path = relative(path)
    if quantifier == "any", current == .close {
      try advance()
      return .any(path, nil)
    }
    guard case .name(let variable) = current else { throw failure }
    try advance()
    try expect(.colon)
    variables.append(variable)
    let inner = try disjunction()
    variables.removeLast()
    try expect(.close)
    return quantifier == "any" ? .any(path, inner) : .all(path, inner)
  }

  /// Removes the innermost lambda's variable from the start of a path.
  private func relative(_ path: some Collection<String>) -> [String] {
    guard let variable = variables.last, path.first == variable else { return Array(path) }
    return Array(path.dropFirst())
  }

  private mutating func list() throws(GraphErrorResponse) -> [JSON] {
    try expect(.open)
    var literals: [JSON] = []
    while true {
      literals.append(try literal())
      if current == .comma {
        try advance()
      } else {
        try expect(.close)
        return literals
      }
    }
  }

  private mutating func literal() throws(GraphErrorResponse) -> JSON {
    let literal: JSON
    switch current {
    case .string(let text): literal = .string(text)
    case .value(let value): literal = value
    case .name("true"): literal = true
    case .name("false"): literal = false
    case .name("null"): literal = nil
    case .name(let word):
      // GUIDs and timestamps do not need quotes.
      guard word.utf8.contains(where: { (48...57).contains($0) }), word.contains("-") else { throw failure }
      literal = .string(word)
    default: throw failure
    }
    try advance()
    return literal
  }

  private mutating func expect(_ token: Token) throws(GraphErrorResponse) {
    guard current == token else { throw failure }
    try advance()
  }

  private mutating func advance() throws(GraphErrorResponse) {
    while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
    guard index < bytes.count else {
      current = .end
      return
    }
    switch bytes[index] {
    case UInt8(ascii: "("): current = one(.open)
    case UInt8(ascii: ")"): current = one(.close)
    case UInt8(ascii: ","): current = one(.comma)
    case UInt8(ascii: ":"): current = one(.colon)
    case UInt8(ascii: "'"): current = .string(try quoted())
    default: current = try word()
    }
  }

  private mutating func one(_ token: Token) -> Token {
    index += 1
    return token
  }

  /// Parses a string in single quotes. Inside the string, two single quotes represent one.
  private mutating func quoted() throws(GraphErrorResponse) -> String {
    var content: [UInt8] = []
    index += 1
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "'") {
        guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "'") else {
          index += 1
          return String(decoding: content, as: UTF8.self)
        }
        index += 1
      }
      content.append(bytes[index])
      index += 1
    }
    throw .malformed("Invalid filter clause: unterminated string literal in '\(text)'.")
  }

  private mutating func word() throws(GraphErrorResponse) -> Token {
    let start = index
    // Only a word that starts with a digit, such as a timestamp, can contain a colon.
    while index < bytes.count, !" (),'".utf8.contains(bytes[index]),
      bytes[index] != UInt8(ascii: ":") || bytes[start] >= 48 && bytes[start] <= 57
    {
      index += 1
    }
    guard index > start else { throw failure }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    if let integer = Int64(word) { return .value(.integer(integer)) }
    if let first = word.utf8.first, (48...57).contains(first) || first == UInt8(ascii: "-"), let real = Double(word) {
      return .value(JSON(number: real))
    }
    return .name(word)
  }
}
