extension JSONPathParser {
  /// The largest magnitude of an index or a slice's part: 2^53 - 1 (RFC 9535 §2.1, I-JSON).
  static let largestInteger = 9_007_199_254_740_991

  /// `"0" / (["-"] DIGIT1 *DIGIT)`, in the range of I-JSON.
  mutating func integer() throws(JSONPathSyntaxError) -> Int {
    let start = index
    let negative = take("-")
    let digits = try self.digits(after: "the sign")
    if digits.count > 1, digits.first == UInt8(ascii: "0") {
      throw JSONPathSyntaxError(offset: start, message: "an index has no leading zeros")
    }
    if negative, digits == [UInt8(ascii: "0")] {
      throw JSONPathSyntaxError(offset: start, message: "-0 is no index", help: "write 0")
    }
    var value = 0
    for digit in digits {
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
      if value > Self.largestInteger {
        throw JSONPathSyntaxError(
          offset: start, message: "the number is beyond ±\(Self.largestInteger), which every JSON reader knows exactly")
      }
    }
    return negative ? -value : value
  }

  private mutating func digits(after what: String) throws(JSONPathSyntaxError) -> [UInt8] {
    let digits = bytes[index...].prefix(while: Self.isDigit)
    guard !digits.isEmpty else { throw error("a digit belongs after \(what)") }
    index = digits.endIndex
    return Array(digits)
  }

  /// `(int / "-0") [ frac ] [ exp ]`, a number to compare with.
  mutating func number() throws(JSONPathSyntaxError) -> QueryForm {
    let start = index
    _ = take("-")
    let whole = try digits(after: "the sign")
    if whole.count > 1, whole.first == UInt8(ascii: "0") {
      throw JSONPathSyntaxError(offset: start, message: "a number has no leading zeros")
    }
    var isWhole = true
    if take(".") {
      isWhole = false
      _ = try digits(after: "the decimal point")
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("-") { _ = take("+") }
      _ = try digits(after: "the exponent's e")
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text) else {
      throw JSONPathSyntaxError(offset: start, message: "“\(text)” is no number")
    }
    return Int64(exactly: value).map { .integer($0) } ?? .real(value)
  }

  /// A string in single or double quotes, from the quote on.
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
        throw error("a control character in a string is escaped", help: "write \\n, \\t or \\u00XX")
      default:
        content.append(byte)
        index += 1
      }
    }
    throw JSONPathSyntaxError(
      offset: open, message: "this string is never closed", help: "the closing quote is missing")
  }

  private mutating func escape(quote: UInt8, into content: inout [UInt8]) throws(JSONPathSyntaxError) {
    let start = index
    index += 1
    guard let letter = peek else { throw error("the query ends inside an escape") }
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
        offset: start, message: "only the quote that encloses the string is escaped", help: "leave the \\ out")
    default:
      throw JSONPathSyntaxError(
        offset: start, message: "there is no such escape", help: "a \\ itself is written \\\\")
    }
  }

  /// The code point of `\uXXXX`, or of two of them that are a surrogate pair; read from behind the `u`.
  private mutating func unicodeEscape(from start: Int) throws(JSONPathSyntaxError) -> Unicode.Scalar {
    let first = try fourHexDigits(from: start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let lone = JSONPathSyntaxError(
      offset: start, message: "half a surrogate pair",
      help: "a character beyond U+FFFF is two escapes, \\uD83E\\uDD14, or the character itself")
    guard first < 0xDC00, take("\\u") else { throw lone }
    let second = try fourHexDigits(from: start)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    else { throw lone }
    return scalar
  }

  private mutating func fourHexDigits(from start: Int) throws(JSONPathSyntaxError) -> UInt32 {
    let digits = bytes[index...].prefix(4)
    var value: UInt32 = 0
    for digit in digits {
      guard let part = Character(Unicode.Scalar(digit)).hexDigitValue else {
        throw JSONPathSyntaxError(offset: start, message: "\\u is followed by four hexadecimal digits")
      }
      value = value << 4 | UInt32(part)
    }
    guard digits.count == 4 else {
      throw JSONPathSyntaxError(offset: start, message: "\\u is followed by four hexadecimal digits")
    }
    index += 4
    return value
  }
}
