import Documents

/// Walks over JSON text once and checks it by RFC 8259, without making values of it.
///
/// A token cache of a hundred thousand accounts has hundreds of megabytes, of which a program needs a few records: so
/// entries stay text until somebody asks. Half of a surrogate pair in an escape is let through, because Python writes it.
struct JSONScanner {
  /// Where in the text something stands.
  struct Slice {
    var start: Int
    var end: Int
    /// Whether escapes must be resolved to read it.
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

  /// - Parameter range: the part of the text to walk over.
  init?(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    guard let base = text.baseAddress, range.upperBound <= text.count else { return nil }
    self.text = text
    self.base = base
    index = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { index >= end }

  /// The byte that comes next; 0 at the end, which no JSON text holds.
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

  /// Passes bytes that were looked at already.
  mutating func skip(_ count: Int) { index = min(index + count, end) }

  /// Whether that byte comes next, which then is passed.
  @inline(__always)
  mutating func take(_ wanted: UInt8) -> Bool {
    guard byte == wanted else { return false }
    index += 1
    return true
  }

  /// Goes through an object; `body` stands at each member's value and must pass it.
  @inline(__always)
  mutating func members(
    _ body: (inout JSONScanner, Slice) throws(SyntaxError) -> Void
  ) throws(SyntaxError) {
    guard take(UInt8(ascii: "{")) else { throw mistake("an object is expected") }
    skipSpace()
    if take(UInt8(ascii: "}")) { return }
    while true {
      let name = try string()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw mistake("a colon is missing") }
      skipSpace()
      try body(&self, name)
      skipSpace()
      if take(UInt8(ascii: "}")) { return }
      guard take(UInt8(ascii: ",")) else { throw mistake("a comma or a closing brace is missing") }
      skipSpace()
    }
  }

  @inline(__always)
  mutating func elements(_ body: (inout JSONScanner) throws(SyntaxError) -> Void) throws(SyntaxError) {
    guard take(UInt8(ascii: "[")) else { throw mistake("an array is expected") }
    skipSpace()
    if take(UInt8(ascii: "]")) { return }
    while true {
      try body(&self)
      skipSpace()
      if take(UInt8(ascii: "]")) { return }
      guard take(UInt8(ascii: ",")) else { throw mistake("a comma or a closing bracket is missing") }
      skipSpace()
    }
  }

  /// Passes a value of any type.
  mutating func value(depth: Int = 0) throws(SyntaxError) {
    switch byte {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"):
      try checkDepth(depth)
      try members { (scanner, _) throws(SyntaxError) in try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "["):
      try checkDepth(depth)
      try elements { (scanner) throws(SyntaxError) in try scanner.value(depth: depth + 1) }
    case UInt8(ascii: "t"): try word("true")
    case UInt8(ascii: "f"): try word("false")
    case UInt8(ascii: "n"): try word("null")
    default: _ = try number()
    }
  }

  /// Passes a string.
  /// - Returns: what stands between its quotes.
  @inline(__always)
  mutating func string() throws(SyntaxError) -> Slice {
    guard take(UInt8(ascii: "\"")) else { throw mistake("a string is expected") }
    let start = index
    let raw = UnsafeRawPointer(base)
    var hasEscapes = false
    while true {
      // Eight bytes at a time while none of them is a quote, a backslash, a control character or beyond ASCII.
      while index + 8 <= end {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let quotes = word ^ 0x2222_2222_2222_2222
        let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let low: UInt64 = 0x0101_0101_0101_0101
        let special =
          ((quotes &- low) & ~quotes) | ((slashes &- low) & ~slashes) | (word &- 0x2020_2020_2020_2020) | word
        let found = special & 0x8080_8080_8080_8080
        if found == 0 {
          index += 8
        } else {
          index += found.littleEndian.trailingZeroBitCount >> 3
          break
        }
      }
      guard index < end else { throw mistake("a string has no closing quote") }
      switch base[index] {
      case UInt8(ascii: "\""):
        defer { index += 1 }
        return Slice(start: start, end: index, hasEscapes: hasEscapes)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        try escape()
      case 0..<0x20: throw mistake("a string holds a control character")
      case 0x20..<0x80: index += 1
      default:
        let length = UTF8Sequence.length(base + index, available: end - index)
        guard length > 0 else { throw mistake("the text is not UTF-8") }
        index += length
      }
    }
  }

  private mutating func escape() throws(SyntaxError) {
    guard index + 1 < end else { throw mistake("a string has no closing quote") }
    switch base[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 2
    case UInt8(ascii: "u"):
      guard JSONEscapes.unit(in: text, at: index + 2) != nil else {
        throw mistake("after \\u stand four hexadecimal digits")
      }
      index += 6
    default: throw mistake("there is no such escape")
    }
  }

  /// Passes a number, and says whether it is written as an integer.
  mutating func number() throws(SyntaxError) -> (slice: Slice, isInteger: Bool) {
    let start = index
    var isInteger = true
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits(else: "a value is expected") }
    if take(UInt8(ascii: ".")) {
      isInteger = false
      try digits(else: "a number lacks digits")
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      isInteger = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits(else: "a number lacks digits")
    }
    return (Slice(start: start, end: index), isInteger)
  }

  private mutating func digits(else message: String) throws(SyntaxError) {
    guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { throw mistake(message) }
    while case UInt8(ascii: "0")...UInt8(ascii: "9") = byte { index += 1 }
  }

  mutating func word(_ word: StaticString) throws(SyntaxError) {
    let count = word.utf8CodeUnitCount
    guard index + count <= end,
      UnsafeBufferPointer(start: base + index, count: count).elementsEqual(
        UnsafeBufferPointer(start: word.utf8Start, count: count))
    else { throw mistake("a value is expected") }
    index += count
  }

  func checkDepth(_ depth: Int) throws(SyntaxError) {
    if depth >= Self.depthLimit { throw mistake("the text is nested more than \(Self.depthLimit) levels deep") }
  }

  func mistake(_ message: String) -> SyntaxError {
    SyntaxError(message: index < end ? message : "the text ends too early", offset: index)
  }
}

/// One character's bytes.
enum UTF8Sequence {
  /// The length of the well-formed sequence that begins here (Unicode 15, table 3-7); 0 where there is none.
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
