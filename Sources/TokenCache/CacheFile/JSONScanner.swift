import Documents

/// Scans JSON text once and validates it (RFC 8259) without decoding values.
///
/// A token cache with 100,000 accounts is hundreds of megabytes long, but a program needs only a few of its entries.
/// Escaped unpaired surrogates are allowed, because Python writes them.
struct JSONScanner {
  /// A range of the text.
  struct Slice {
    var start: Int
    var end: Int
    /// Whether the text contains escapes.
    var hasEscapes = false

    var range: Range<Int> { start..<end }
  }

  struct SyntaxError: Error {
    var message: String
    var offset: Int
  }

  static let depthLimit = 512

  let text: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  private(set) var index: Int
  private let end: Int

  /// - Parameter range: The range of the text to scan.
  init?(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard let base = text.baseAddress, range.upperBound <= text.count else { return nil }
    self.text = text
    self.base = base
    index = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { index >= end }

  /// The next byte, or 0 at the end. Valid JSON does not contain null bytes.
  @inline(__always)
  var byte: UInt8 { index < end ? base[index] : 0 }

  @inline(__always)
  mutating func skipSpace() {
    while index < end {
      switch base[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  /// Skips bytes.
  mutating func skip(_ count: Int) { index = min(index + count, end) }

  /// Skips the next byte if it equals `expected`, and returns whether it did.
  @inline(__always)
  mutating func consume(_ expected: UInt8) -> Bool {
    guard byte == expected else { return false }
    index += 1
    return true
  }

  /// Scans an object. Calls `body` at the value of each member. `body` must scan the value.
  @inline(__always)
  mutating func members(
    _ body: (inout JSONScanner, Slice) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    guard consume(UInt8(ascii: "{")) else { throw syntaxError("expected an object") }
    skipSpace()
    if consume(UInt8(ascii: "}")) { return }
    while true {
      let name = try string()
      skipSpace()
      guard consume(UInt8(ascii: ":")) else { throw syntaxError("expected `:`") }
      skipSpace()
      try body(&self, name)
      skipSpace()
      if consume(UInt8(ascii: "}")) { return }
      guard consume(UInt8(ascii: ",")) else { throw syntaxError("expected `,` or `}`") }
      skipSpace()
    }
  }

  /// Scans an array. Calls `body` at the start of each element. `body` must scan the element.
  @inline(__always)
  mutating func elements(_ body: (inout JSONScanner) throws(SyntaxError) -> Void) throws(SyntaxError) {
    guard consume(UInt8(ascii: "[")) else { throw syntaxError("expected an array") }
    skipSpace()
    if consume(UInt8(ascii: "]")) { return }
    while true {
      try body(&self)
      skipSpace()
      if consume(UInt8(ascii: "]")) { return }
      guard consume(UInt8(ascii: ",")) else { throw syntaxError("expected `,` or `]`") }
      skipSpace()
    }
  }

  /// Scans a value of any type.
  mutating func value(depth: Int = 0) throws(SyntaxError) {
    switch byte {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      try members { (scanner, _) throws(SyntaxError) in try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "["):
      try checkDepth(depth)
      try elements { (scanner) throws(SyntaxError) in try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    default: _ = try number()
    }
  }

  /// Scans a string.
  /// - Returns: The range between the quotes.
  @inline(__always)
  mutating func string() throws(SyntaxError) -> Slice {
    guard consume(UInt8(ascii: "\"")) else { throw syntaxError("expected a string") }
    let start = index
    let raw = UnsafeRawPointer(base)
    var hasEscapes = false
    while true {
      // Scan eight bytes at a time until one is a quote, a backslash, a control character, or not ASCII.
      while index + 8 <= end {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let quotes = word ^ 0x2222_2222_2222_2222
        let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let low: UInt64 = 0x0101_0101_0101_0101
        let special =
          ((quotes &- low) & ~quotes) | ((slashes &- low) & ~slashes) | (word &- 0x2020_2020_2020_2020) | word
        let matches = special & 0x8080_8080_8080_8080
        if matches == 0 {
          index += 8
        } else {
          index += matches.littleEndian.trailingZeroBitCount >> 3
          break
        }
      }
      guard index < end else { throw syntaxError("unterminated string") }
      switch base[index] {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        return Slice(start: start, end: index, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      case 0..<0x20: throw syntaxError("control character in a string")
      case 0x20..<0x80: index += 1
      default:
        let length = UTF8Sequence.length(base + index, available: end - index)
        guard length > 0 else { throw syntaxError("invalid UTF-8") }
        index += length
      }
    }
  }

  private mutating func escape() throws(SyntaxError) {
    guard index + 1 < end else { throw syntaxError("unterminated string") }
    switch base[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "u"):
      guard JSONEscapes.unit(in: text, at: index + 2) != nil else {
        throw syntaxError("expected four hexadecimal digits after `\\u`")
      }
      index += 6
    default: throw syntaxError("unknown escape")
    }
  }

  /// Scans a number.
  /// - Returns: The range of the number, and whether it is an integer.
  mutating func number() throws(SyntaxError) -> (slice: Slice, isInteger: Bool) {
    let start = index
    var isInteger = true
    _ = consume(UInt8(ascii: "-"))
    if !consume(UInt8(ascii: "0")) { try digits(else: "expected a value") }
    if consume(UInt8(ascii: ".")) {
      isInteger = false
      try digits(else: "expected a digit")
    }
    if consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E")) {
      isInteger = false
      if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
      try digits(else: "expected a digit")
    }
    return (Slice(start: start, end: index), isInteger)
  }

  private mutating func digits(else message: String) throws(SyntaxError) {
    guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { throw syntaxError(message) }
    while case UInt8(ascii: "0")...UInt8(ascii: "9") = byte { index += 1 }
  }

  /// Scans `true`, `false`, or `null`.
  mutating func literal(_ literal: StaticString) throws(SyntaxError) {
    let count = literal.utf8CodeUnitCount
    guard index + count <= end,
      UnsafeBufferPointer(start: base + index, count: count).elementsEqual(
        UnsafeBufferPointer(start: literal.utf8Start, count: count))
    else { throw syntaxError("expected a value") }
    index += count
  }

  func checkDepth(_ depth: Int) throws(SyntaxError) {
    if depth >= Self.depthLimit { throw syntaxError("nesting exceeds \(Self.depthLimit) levels") }
  }

  func syntaxError(_ message: String) -> SyntaxError {
    SyntaxError(message: index < end ? message : "unexpected end of file", offset: index)
  }
}

enum UTF8Sequence {
  /// Returns the length of the UTF-8 sequence at this byte (Unicode 15, table 3-7), or 0 if the sequence is malformed.
  static func length(_ at: UnsafePointer<UInt8>, available: Int) -> Int {
    func follows(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      offset < available && range.contains(at[offset])
    }
    switch at[0] {
    case 0..<0x80: return 1
    case 0xC2...0xDF: return follows(1) ? 2 : 0
    case 0xE0: return follows(1, 0xA0...0xBF) && follows(2) ? 3 : 0
    case 0xED: return follows(1, 0x80...0x9F) && follows(2) ? 3 : 0
    case 0xE1...0xEF: return follows(1) && follows(2) ? 3 : 0
    case 0xF0: return follows(1, 0x90...0xBF) && follows(2) && follows(3) ? 4 : 0
    case 0xF1...0xF3: return follows(1) && follows(2) && follows(3) ? 4 : 0
    case 0xF4: return follows(1, 0x80...0x8F) && follows(2) && follows(3) ? 4 : 0
    default: return 0
    }
  }
}
