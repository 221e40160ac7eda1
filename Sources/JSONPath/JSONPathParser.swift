/// A parser for the UTF-8 bytes of a query, based on the grammar in RFC 9535, appendix A.
///
/// This file parses queries, segments, and selectors. Extensions parse literals and filters.
struct JSONPathParser {
  let bytes: [UInt8]
  var index = 0
  /// The number of open filters, parentheses, and functions. The depth is limited to prevent a stack overflow.
  var depth = 0
  var embeddedQueries = 0

  static let maximumNesting = 64

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func wholeQuery() throws(JSONPathSyntaxError) -> [Segment] {
    guard let first = peek else { throw error("empty query", help: "write `$` for the complete value") }
    if Self.isBlank(first) { throw error("whitespace before the query") }
    guard first == UInt8(ascii: "$") else {
      let help = Self.isNameStart(first) ? "write `$.\(String(decoding: bytes, as: UTF8.self))`" : nil
      throw error("query does not start with `$`", help: help)
    }
    index += 1
    let result = try segments()
    guard index == bytes.count else {
      if bytes[index...].allSatisfy(Self.isBlank) { throw error("whitespace after the query") }
      throw unexpected(after: "the query")
    }
    return result
  }

  /// Reads `*(S segment)`. Whitespace without a following segment is not read.
  mutating func segments() throws(JSONPathSyntaxError) -> [Segment] {
    var result: [Segment] = []
    while true {
      let before = index
      skipBlanks()
      let start = index
      switch peek {
      case UInt8(ascii: "["):
        result.append(Segment(descends: false, selectors: try bracketedSelection(), offset: start))
      case UInt8(ascii: "."):
        index += 1
        let descends = read(".")
        if descends, peek == UInt8(ascii: "[") {
          result.append(Segment(descends: true, selectors: try bracketedSelection(), offset: start))
        } else if read("*") {
          result.append(Segment(descends: descends, selectors: [.wildcard], offset: start))
        } else {
          result.append(Segment(descends: descends, selectors: [.name(try shorthand())], offset: start))
        }
      default:
        index = before
        return result
      }
    }
  }

  /// Reads a member name after a dot.
  private mutating func shorthand() throws(JSONPathSyntaxError) -> String {
    let start = index
    guard let first = peek else {
      throw error("unexpected end of the query after `.`", help: "add a member name or `*`")
    }
    guard Self.isNameStart(first) else {
      if Self.isBlank(first) { throw error("whitespace after `.`") }
      if first == UInt8(ascii: "[") { throw error("`.` before a bracket", help: "remove the `.`") }
      throw quoteInstead(from: start)
    }
    while let next = peek, Self.isNameStart(next) || Self.isDigit(next) { index += 1 }
    // `$.my-key`: the name ends before the hyphen, which is not valid here.
    if let next = peek, next == UInt8(ascii: "-") || next == UInt8(ascii: "@") || next == UInt8(ascii: ":") {
      throw quoteInstead(from: start)
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func quoteInstead(from start: Int) -> JSONPathSyntaxError {
    let ends: Set<UInt8> = Set(" \t\r\n[].,()'\"=<>!&|?*".utf8)
    var name = bytes[start...].prefix { !ends.contains($0) }
    // OData annotations such as @odata.nextLink contain a dot.
    if name.first == UInt8(ascii: "@"), bytes.dropFirst(name.endIndex).first == UInt8(ascii: ".") {
      let rest = bytes[(name.endIndex + 1)...].prefix { !ends.contains($0) }
      if !rest.isEmpty { name = bytes[name.startIndex..<rest.endIndex] }
    }
    guard !name.isEmpty else {
      return error("expected a member name or `*` after `.`")
    }
    let text = String(decoding: name, as: UTF8.self)
    return JSONPathSyntaxError(
      offset: start, message: "invalid member name `\(text)` after `.`",
      help: "write `['\(text)']` without the dot")
  }

  /// Parses `"[" S selector *(S "," S selector) S "]"`.
  private mutating func bracketedSelection() throws(JSONPathSyntaxError) -> [Selector] {
    let open = index
    index += 1
    try enter(at: open)
    defer { depth -= 1 }
    var selectors: [Selector] = []
    while true {
      skipBlanks()
      selectors.append(try selector())
      skipBlanks()
      if read(",") { continue }
      if read("]") { return selectors }
      if peek == nil {
        throw JSONPathSyntaxError(offset: open, message: "unclosed bracket", help: "add `]`")
      }
      throw unexpected(after: "the selector")
    }
  }

  private mutating func selector() throws(JSONPathSyntaxError) -> Selector {
    switch peek {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .name(try string())
    case UInt8(ascii: "*"):
      index += 1
      return .wildcard
    case UInt8(ascii: "?"):
      index += 1
      skipBlanks()
      return .filter(try logicalExpression())
    case UInt8(ascii: "]"):
      throw error("empty brackets", help: "add an index, a quoted name, a slice, `*`, or a filter")
    case UInt8(ascii: "("):
      throw error("unsupported script expression", help: "use `[-1]` for the last element, or `?` to start a filter")
    case UInt8(ascii: ":"):
      return try slice(from: nil)
    case .some(let byte) where byte == UInt8(ascii: "-") || Self.isDigit(byte):
      let number = try integer()
      let afterNumber = index
      skipBlanks()
      if peek == UInt8(ascii: ":") { return try slice(from: number) }
      index = afterNumber
      return .index(number)
    case .some(let byte) where Self.isNameStart(byte):
      let start = index
      let name = bytes[index...].prefix { Self.isNameStart($0) || Self.isDigit($0) }
      let text = String(decoding: name, as: UTF8.self)
      throw JSONPathSyntaxError(
        offset: start, message: "name in brackets without quotes", help: "write `['\(text)']`")
    case nil:
      throw error("unexpected end of the query in brackets", help: "add `]`")
    default:
      throw unexpected(after: "the bracket")
    }
  }

  /// Reads `[start S] ":" S [end S] [":" [S step]]`, starting at the first colon.
  private mutating func slice(from start: Int?) throws(JSONPathSyntaxError) -> Selector {
    index += 1
    skipBlanks()
    var end: Int?
    if startsInteger {
      end = try integer()
      skipBlanks()
    }
    guard read(":") else { return .slice(start: start, end: end, step: 1) }
    skipBlanks()
    let step = startsInteger ? try integer() : 1
    return .slice(start: start, end: end, step: step)
  }

  private var startsInteger: Bool {
    peek.map { $0 == UInt8(ascii: "-") || Self.isDigit($0) } ?? false
  }

  // MARK: Reading

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func read(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func read(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  mutating func skipBlanks() {
    while let next = peek, Self.isBlank(next) { index += 1 }
  }

  mutating func enter(at offset: Int) throws(JSONPathSyntaxError) {
    depth += 1
    if depth > Self.maximumNesting {
      throw JSONPathSyntaxError(
        offset: offset, message: "more than \(Self.maximumNesting) levels of nesting")
    }
  }

  func error(_ message: String, help: String? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: index, message: message, help: help)
  }

  func unexpected(after what: String) -> JSONPathSyntaxError {
    guard index < bytes.count else { return error("unexpected end of the query after \(what)") }
    let character = String(decoding: bytes[index...], as: UTF8.self).prefix(1)
    return error("unexpected `\(character)` after \(what)")
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Whether a byte can start a name (`name-first`): a letter, `_`, or a non-ASCII character.
  static func isNameStart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F || byte >= 0x80
  }
}
