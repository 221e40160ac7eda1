import Diagnostics

extension JSONReader {
  @inline(__always)
  mutating func readValue() {
    switch byte {
    case UInt8(ascii: "\""):
      readString()
      finishValue()
    case UInt8(ascii: "{"): open(.mapping, then: .keyOrClose)
    case UInt8(ascii: "["): open(.array, then: .valueOrClose)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
    default: readWord()
    }
  }

  @inline(__always)
  private mutating func finishValue() {
    expectation = builder.frames.isEmpty ? .end : .commaOrClose
  }

  @inline(__always)
  private mutating func open(_ kind: NodeRecord.Kind, then next: Expectation) {
    guard builder.open(kind, at: position) else {
      isStopped = true
      return
    }
    position += 1
    expectation = next
  }

  // MARK: Strings

  /// Reads a string that is a key or a value. A string without a closing quote ends at the end of the line.
  @inline(__always)
  mutating func readString() {
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    let start = position
    let count = bytes.count
    var index = position + 1
    var form = NodeRecord.Form.verbatim
    while true {
      // Skip eight bytes at a time, unless one is a quote, a backslash, or a control character.
      while index + 8 <= count {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let quotes = word ^ 0x2222_2222_2222_2222
        let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let low: UInt64 = 0x0101_0101_0101_0101
        let special =
          ((quotes &- low) & ~quotes) | ((slashes &- low) & ~slashes) | ((word &- 0x2020_2020_2020_2020) & ~word)
        let matchBits = special & 0x8080_8080_8080_8080
        if matchBits == 0 {
          index += 8
        } else {
          index += matchBits.littleEndian.trailingZeroBitCount >> 3
          break
        }
      }
      guard index < count else { return unterminated(start, index, form) }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        form = .jsonEscapes
        index = checkEscape(at: index)
      } else if byte < 0x20 {
        if byte == 0x0A || byte == 0x0D { return unterminated(start, index, form) }
        report(
          "control character \(ByteClassification.quoted(bytes, at: index)) in a string",
          help: byte == 0x09
            ? "write a tab as `\\t`" : "write it as `\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))`",
          from: index, to: index + 1)
        index += 1
      } else {
        index += 1
      }
    }
    position = index + 1
    builder.scalar(
      NodeRecord(.string, start: start, end: position, first: start + 1, second: index - start - 1, form: form))
  }

  private mutating func unterminated(_ start: Int, _ end: Int, _ form: NodeRecord.Form) {
    report(
      "unclosed string", help: "add `\"` at its end, and write a line break in a string as `\\n`",
      from: start, to: end)
    position = end
    builder.scalar(NodeRecord(.string, start: start, end: end, first: start + 1, second: end - start - 1, form: form))
  }

  /// Checks the escape at a backslash and returns the index after it.
  private mutating func checkEscape(at index: Int) -> Int {
    guard index + 1 < bytes.count else { return index + 1 }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"):
      guard let unit = JSONEscapes.unit(in: bytes, at: index + 2) else {
        report(
          "expected four hexadecimal digits after `\\u`", help: "write `é` as `\\u00e9`, for example", from: index,
          to: min(index + 6, bytes.count))
        return index + 2
      }
      if unit & 0xF800 == 0xD800 {
        if unit & 0xFC00 == 0xD800, index + 7 < bytes.count, bytes[index + 6] == UInt8(ascii: "\\"),
          bytes[index + 7] == UInt8(ascii: "u"), let low = JSONEscapes.unit(in: bytes, at: index + 8),
          low & 0xFC00 == 0xDC00
        {
          return index + 12
        }
        report(
          "unpaired surrogate in an escape",
          help: "write the character itself, or both surrogates of the pair", from: index, to: index + 6)
      }
      return index + 6
    case let letter:
      report(
        "unknown escape `\\\(ByteClassification.character(bytes, at: index + 1))`",
        help: "write a backslash as `\\\\`", from: index, to: index + 2)
      return letter < 0x20 ? index + 1 : index + 2
    }
  }

  // MARK: Numbers

  /// Returns whether the text is a number (RFC 8259 §6).
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    numberEnd(text, from: 0)?.end == text.count
  }

  /// Returns the end and the kind of the number that starts here, or nil if the number is invalid.
  @inline(__always)
  private static func numberEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (
    end: Int, isInteger: Bool, hasExponent: Bool
  )? {
    var index = start
    var isInteger = true
    var hasExponent = false
    func digit(_ at: Int) -> Bool { at < bytes.count && ByteClassification.isDigit(bytes[at]) }
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") { index += 1 }
    guard digit(index) else { return nil }
    if bytes[index] == UInt8(ascii: "0") {
      index += 1
    } else {
      while digit(index) { index += 1 }
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      isInteger = false
      index += 1
      guard digit(index) else { return nil }
      while digit(index) { index += 1 }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      hasExponent = true
      index += 1
      if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
      guard digit(index) else { return nil }
      while digit(index) { index += 1 }
    }
    return (index, isInteger, hasExponent)
  }

  private static func continuesWord(_ byte: UInt8) -> Bool {
    ByteClassification.isDigit(byte) || ByteClassification.isLetter(byte) || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte >= 0x80
  }

  @inline(__always)
  private mutating func readNumber() {
    let start = position
    guard let number = Self.numberEnd(bytes, from: start),
      number.end >= bytes.count || !Self.continuesWord(bytes[number.end])
    else { return readBrokenNumber() }
    position = number.end
    builder.scalar(
      NodeRecord(
        number.isInteger ? .integer : .real, start: start, end: number.end, first: start, second: number.end - start))
    // Only a number with an exponent or with hundreds of digits can exceed the range of a double.
    if number.hasExponent || number.end - start > 300,
      NumberText.real(UnsafeBufferPointer(rebasing: bytes[start..<number.end]))?.isFinite != true
    {
      report(
        "number out of range", help: "use a number in the range of an IEEE 754 double, up to about 1.8e308",
        from: start,
        to: number.end)
    }
    finishValue()
  }

  private mutating func readBrokenNumber() {
    let start = position
    position += 1
    while position < bytes.count, Self.continuesWord(bytes[position]) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let help =
      if text.hasPrefix("0") || text.hasPrefix("-0"),
        text.utf8.allSatisfy({ ByteClassification.isDigit($0) || $0 == UInt8(ascii: "-") })
      {
        "remove the leading zero, or add quotes"
      } else if text.hasSuffix(".") {
        "add a digit after the decimal point"
      } else {
        "use a number such as `10`, `-1.5`, or `2e8`, or add quotes"
      }
    report("invalid JSON number `\(text)`", help: help, from: start, to: position)
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
    finishValue()
  }

  // MARK: Literals and invalid words

  /// Reads `true`, `false`, `null`, or an invalid word.
  private mutating func readWord() {
    let start = position
    if matches("true") || matches("false") {
      position += bytes[start] == UInt8(ascii: "t") ? 4 : 5
      builder.scalar(NodeRecord(.bool, start: start, end: position, first: bytes[start] == UInt8(ascii: "t") ? 1 : 0))
      return finishValue()
    }
    if matches("null") {
      position += 4
      builder.scalar(NodeRecord(.null, start: start, end: position))
      return finishValue()
    }
    switch byte {
    case UInt8(ascii: "]") where expectation == .value && builder.frames.last?.isMapping == false && start > 0:
      return closeAfterComma()
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      return missingValue()
    case UInt8(ascii: "'"): readSingleQuoted()
    default: readStrayWord()
    }
    finishValue()
  }

  private func matches(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    guard position + count <= bytes.count else { return false }
    for offset in 0..<count where bytes[position + offset] != word.utf8Start[offset] { return false }
    return position + count == bytes.count || !Self.continuesWord(bytes[position + count])
  }

  private mutating func missingValue() {
    let start = position
    report(
      "missing value before \(ByteClassification.quoted(bytes, at: start))",
      help: "add a value, or `null`", from: start, to: start + 1)
    if builder.awaitsValue, byte != UInt8(ascii: ":") { builder.scalar(NodeRecord(.null, start: start, end: start)) }
    if byte == UInt8(ascii: ",") {
      lastComma = start
      position += 1
      expectation = builder.frames.last?.isMapping == true ? .key : .value
      if builder.frames.isEmpty { isStopped = true }
    } else if byte == UInt8(ascii: ":") {
      position += 1
    } else if builder.frames.isEmpty {
      isStopped = true
    } else {
      close()
    }
  }

  private mutating func readSingleQuoted() {
    let start = position
    var end = position + 1
    while end < bytes.count, bytes[end] != UInt8(ascii: "'"), bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    position = end < bytes.count && bytes[end] == UInt8(ascii: "'") ? end + 1 : end
    report("JSON string in single quotes", help: "use double quotes", from: start, to: position)
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start + 1, second: end - start - 1))
  }

  private mutating func readStrayWord() {
    let start = position
    position += 1
    while position < bytes.count, Self.continuesWord(bytes[position]) || bytes[position] & 0xC0 == 0x80 {
      position += 1
    }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    let help =
      switch word.lowercased() {
      case "true", "false", "null": "write `\(word.lowercased())`"
      case "none", "nil", "undefined": "write `null`"
      case "nan", "infinity", "inf": "use `null` or a string: JSON does not support this number"
      default: "put strings in double quotes"
      }
    let displayed = word.unicodeScalars.count == 1 ? ByteClassification.quoted(bytes, at: start) : "`\(word)`"
    report("invalid JSON value \(displayed)", help: help, from: start, to: position)
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
  }

  /// Reads a key that is not in double quotes.
  mutating func readKeyWord() {
    let start = position
    switch byte {
    case UInt8(ascii: "'"): readSingleQuoted()
    case UInt8(ascii: "]"): return close()
    case UInt8(ascii: ":"):
      report("missing key before the colon", help: "write `\"key\": value`", from: start, to: start + 1)
      builder.scalar(NodeRecord(.string, start: start, end: start, first: start))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      report("key is not a string", help: "write `\"key\": value`", from: start, to: start + 1)
      builder.scalar(NodeRecord(.string, start: start, end: start, first: start))
      expectation = .value
      return
    default:
      position += 1
      while position < bytes.count, Self.continuesWord(bytes[position]) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      report("key `\(word)` is not in double quotes", help: "write `\"\(word)\"`", from: start, to: position)
      builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
    }
    expectation = .colon
  }

  // MARK: Comments

  /// Skips a comment and reports a note or an error. Returns false if the slash does not start a comment.
  mutating func skipComment() -> Bool {
    let start = position
    guard start + 1 < bytes.count else { return false }
    if bytes[start + 1] == UInt8(ascii: "/") {
      while position < bytes.count, bytes[position] != 0x0A, bytes[position] != 0x0D { position += 1 }
    } else if bytes[start + 1] == UInt8(ascii: "*") {
      position += 2
      while position + 1 < bytes.count, bytes[position] != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/")
      {
        position += 1
      }
      if position + 1 >= bytes.count {
        position = bytes.count
        report("unclosed comment", help: "add `*/`", from: start, to: start + 2)
        return true
      }
      position += 2
    } else {
      return false
    }
    let span = SourceSpan(start: start, end: position)
    if !toleratesComments {
      report(rule: "comment-in-json", "comment in JSON", help: "remove the comment", from: start, to: position)
    } else if !notedComments {
      builder.report(
        .note, rule: "comment-in-json", "comments are not part of JSON, and strict parsers reject them", at: span)
    }
    notedComments = true
    return true
  }
}
