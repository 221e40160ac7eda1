/// Reads a query byte by byte (UTF-8), following the grammar of RFC 9535, appendix A.
///
/// This file holds queries, segments and selectors; literals and filters have their own.
struct JSONPathParser {
  let bytes: [UInt8]
  var index = 0
  /// How many filters, parentheses and functions are open: a hostile query must not exhaust the stack.
  var depth = 0
  var embeddedQueries = 0

  static let deepestNesting = 64

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  mutating func wholeQuery() throws(JSONPathSyntaxError) -> [Segment] {
    guard let first = peek else { throw error("the query is empty", help: "the whole value is $") }
    if Self.isBlank(first) { throw error("a query begins with $, without blanks before it") }
    guard first == UInt8(ascii: "$") else {
      let help = Self.isNameStart(first) ? "write $.\(String(decoding: bytes, as: UTF8.self))" : nil
      throw error("a query begins with $", help: help)
    }
    index += 1
    let result = try segments()
    guard index == bytes.count else {
      if bytes[index...].allSatisfy(Self.isBlank) { throw error("there are blanks after the query") }
      throw unexpected(after: "the query")
    }
    return result
  }

  /// `*(S segment)`: blanks that no segment follows are left unread.
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
        let descends = take(".")
        if descends, peek == UInt8(ascii: "[") {
          result.append(Segment(descends: true, selectors: try bracketedSelection(), offset: start))
        } else if take("*") {
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

  /// A member name after a dot.
  private mutating func shorthand() throws(JSONPathSyntaxError) -> String {
    let start = index
    guard let first = peek else {
      throw error("the query ends after a dot", help: "a member's name or * belongs there")
    }
    guard Self.isNameStart(first) else {
      if Self.isBlank(first) { throw error("no blank may follow a dot") }
      if first == UInt8(ascii: "[") { throw error("no dot may stand before a bracket", help: "leave the dot out") }
      throw quoteInstead(from: start)
    }
    while let next = peek, Self.isNameStart(next) || Self.isDigit(next) { index += 1 }
    // `$.my-key`: the name would end at the hyphen, and what follows makes no sense.
    if let next = peek, next == UInt8(ascii: "-") || next == UInt8(ascii: "@") || next == UInt8(ascii: ":") {
      throw quoteInstead(from: start)
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private func quoteInstead(from start: Int) -> JSONPathSyntaxError {
    let ends: Set<UInt8> = Set(" \t\r\n[].,()'\"=<>!&|?*".utf8)
    var name = bytes[start...].prefix { !ends.contains($0) }
    // Graph's annotations have one dot in them: @odata.nextLink.
    if name.first == UInt8(ascii: "@"), bytes.dropFirst(name.endIndex).first == UInt8(ascii: ".") {
      let rest = bytes[(name.endIndex + 1)...].prefix { !ends.contains($0) }
      if !rest.isEmpty { name = bytes[name.startIndex..<rest.endIndex] }
    }
    guard !name.isEmpty else {
      return error("a member's name or * belongs after a dot")
    }
    let text = String(decoding: name, as: UTF8.self)
    return JSONPathSyntaxError(
      offset: start, message: "“\(text)” cannot stand after a dot: such names are letters, digits and _",
      help: "write ['\(text)'] without the dot")
  }

  /// `"[" S selector *(S "," S selector) S "]"`
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
      if take(",") { continue }
      if take("]") { return selectors }
      if peek == nil {
        throw JSONPathSyntaxError(offset: open, message: "this bracket is never closed", help: "a ] is missing")
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
      throw error("the brackets are empty", help: "an index, a quoted name, a slice, * or ?filter belongs there")
    case UInt8(ascii: "("):
      throw error("RFC 9535 has no script expressions", help: "the last element is [-1], a filter begins with ?")
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
        offset: start, message: "a name in brackets is quoted", help: "write ['\(text)']")
    case nil:
      throw error("the query ends inside brackets", help: "a ] is missing")
    default:
      throw unexpected(after: "the bracket")
    }
  }

  /// `[start S] ":" S [end S] [":" [S step]]`, from the first colon on.
  private mutating func slice(from start: Int?) throws(JSONPathSyntaxError) -> Selector {
    index += 1
    skipBlanks()
    var end: Int?
    if startsInteger {
      end = try integer()
      skipBlanks()
    }
    guard take(":") else { return .slice(start: start, end: end, step: 1) }
    skipBlanks()
    let step = startsInteger ? try integer() : 1
    return .slice(start: start, end: end, step: step)
  }

  private var startsInteger: Bool {
    peek.map { $0 == UInt8(ascii: "-") || Self.isDigit($0) } ?? false
  }

  // MARK: Reading

  var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard peek == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  mutating func skipBlanks() {
    while let next = peek, Self.isBlank(next) { index += 1 }
  }

  mutating func enter(at offset: Int) throws(JSONPathSyntaxError) {
    depth += 1
    if depth > Self.deepestNesting {
      throw JSONPathSyntaxError(
        offset: offset, message: "the query is nested more than \(Self.deepestNesting) levels deep")
    }
  }

  func error(_ message: String, help: String? = nil) -> JSONPathSyntaxError {
    JSONPathSyntaxError(offset: index, message: message, help: help)
  }

  func unexpected(after what: String) -> JSONPathSyntaxError {
    guard index < bytes.count else { return error("the query ends after \(what)") }
    let character = String(decoding: bytes[index...], as: UTF8.self).prefix(1)
    return error("“\(character)” does not belong after \(what)")
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// `name-first`: a letter, `_`, or anything beyond ASCII.
  static func isNameStart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || byte == 0x5F || byte >= 0x80
  }
}
