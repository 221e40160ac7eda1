extension JSONPathParser {
  /// The largest absolute value of an index or slice parameter: 2^53 - 1 (RFC 9535 §2.1, I-JSON).
  static let largestInteger = 9_007_199_254_740_991

  /// Reads `"0" / (["-"] DIGIT1 *DIGIT)`, within the I-JSON range.
  mutating func integer() throws(JSONPathSyntaxError) -> Int {
    let start = index
    let negative = read("-")
    let digits = try self.digits(after: "the sign")
    if digits.count > 1, digits.first == UInt8(ascii: "0") {
      throw JSONPathSyntaxError(offset: start, message: "leading zero in an index")
    }
    if negative, digits == [UInt8(ascii: "0")] {
      throw JSONPathSyntaxError(offset: start, message: "invalid index `-0`", help: "write `0`")
    }
    var value = 0
    for digit in digits {
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      if value > Self.largestInteger {
        throw JSONPathSyntaxError(
          offset: start, message: "number out of range ±\(Self.largestInteger)")
      }
    }
    return negative ? -value : value
  }

  private mutating func digits(after what: String) throws(JSONPathSyntaxError) -> [UInt8] {
    let digits = bytes[index...].prefix(while: Self.isDigit)
    guard !digits.isEmpty else { throw error("expected a digit after \(what)") }
    index = digits.endIndex
    return Array(digits)
  }

  /// Reads `(int / "-0") [ frac ] [ exp ]`, a number in a comparison.
  mutating func number() throws(JSONPathSyntaxError) -> QueryForm {
    let start = index
    _ = read("-")
    let integerDigits = try digits(after: "the sign")
    if integerDigits.count > 1, integerDigits.first == UInt8(ascii: "0") {
      throw JSONPathSyntaxError(offset: start, message: "leading zero in a number")
    }
    var isWhole = true
    if read(".") {
      isWhole = false
      _ = try digits(after: "the decimal point")
    }
    if read("e") || read("E") {
      isWhole = false
      if !read("-") { _ = read("+") }
      _ = try digits(after: "the exponent's e")
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text) else {
      throw JSONPathSyntaxError(offset: start, message: "invalid number `\(text)`")
    }
    return Int64(exactly: value).map { .integer($0) } ?? .real(value)
  }

  /// Reads a string in single or double quotes, starting at the quote.
  mutating func string() throws(JSONPathSyntaxError) -> String {
    let open = index
    let quote = bytes[index]
    index += 1
    var content: [UInt8] = []
    while let byte = peek {
      switch byte {
      case quote:
        index += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        try escape(quote: quote, into: &content)
      case 0..<0x20:
        throw error("unescaped control character in a string", help: "write `\\n`, `\\t`, or `\\u00XX`")
      default:
        content.append(byte)
        index += 1
      }
    }
    throw JSONPathSyntaxError(
      offset: open, message: "unclosed string", help: "add the closing quote")
  }

  private mutating func escape(quote: UInt8, into content: inout [UInt8]) throws(JSONPathSyntaxError) {
    let start = index
    index += 1
    guard let letter = peek else { throw error("unexpected end of the query in an escape") }
    index += 1
    switch letter {
    case quote, UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      content.append(contentsOf: String(Character(try unicodeEscape(from: start))).utf8)
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      throw JSONPathSyntaxError(
        offset: start, message: "unnecessary escape of the other quote", help: "remove the `\\`")
    default:
      throw JSONPathSyntaxError(
        offset: start, message: "unknown escape", help: "write a backslash as `\\\\`")
    }
  }

  /// Reads the code point of `\uXXXX`, or of a surrogate pair, after the `u`.
  private mutating func unicodeEscape(from start: Int) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    let first = try fourHexDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let unpairedSurrogate = JSONPathSyntaxError(
      offset: start, message: "unpaired surrogate",
      help: "write two escapes, such as `\\uD83E\\uDD14`, or the character itself")
    guard first < 0xDC00, read("\\u") else { throw unpairedSurrogate }
    let second = try fourHexDigits(from: start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw unpairedSurrogate }
    return scalar
  }

  private mutating func fourHexDigits(from start: Int) throws(JSONPathSyntaxError) -> UInt32 {
    let digits = bytes[index...].prefix(4)
    var value: UInt32 = 0
    for digit in digits {
      guard let part = Character(Unicode.Scalar(digit)).hexDigitValue else {
        throw JSONPathSyntaxError(offset: start, message: "expected four hexadecimal digits after `\\u`")
      }
      value = value << 4 | UInt32(part)
    }
    guard digits.count == 4 else {
      throw JSONPathSyntaxError(offset: start, message: "expected four hexadecimal digits after `\\u`")
    }
    index += 4
    return value
  }
}
