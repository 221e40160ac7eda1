import Diagnostics

extension JSONReader {
  @inline(__always)
  mutating func readValue() {
    switch byte {
    case UInt8(ascii: "\""):
      readString()
      valueIsRead()
    case UInt8(ascii: "{"): open(.mapping, then: .keyOrClose)
    case UInt8(ascii: "["): open(.array, then: .valueOrClose)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): readNumber()
    default: readWord()
    }
  }

  @inline(__always)
  private mutating func valueIsRead() {
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

  /// A string, key or value; stops at the line's end where the closing quote is missing.
  @inline(__always)
  mutating func readString() {
    guard let base = bytes.baseAddress else { return }
    let raw = UnsafeRawPointer(base)
    let start = position
    let count = bytes.count
    var index = position + 1
    var form = NodeRecord.Form.verbatim
    while true {
      // Eight bytes at a time while none of them is a quote, a backslash or a control character.
      while index + 8 <= count {
        let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        let quotes = word ^ 0x2222_2222_2222_2222
        let slashes = word ^ 0x5C5C_5C5C_5C5C_5C5C
        let low: UInt64 = 0x0101_0101_0101_0101
        let special =
          ((quotes &- low) & ~quotes) | ((slashes &- low) & ~slashes) | ((word &- 0x2020_2020_2020_2020) & ~word)
        let found = special & 0x8080_8080_8080_8080
        if found == 0 {
          index += 8
        } else {
          index += found.littleEndian.trailingZeroBitCount >> 3
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
          "a string holds the control character \(ByteClassification.quoted(bytes, at: index))",
          help: byte == 0x09
            ? "Write \\t for a tab." : "Write it as \\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16)).",
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
      "a string has no closing quote", help: "Put a ‘\"’ at its end; a line break inside a string is written \\n.",
      from: start, to: end)
    position = end
    builder.scalar(NodeRecord(.string, start: start, end: end, first: start + 1, second: end - start - 1, form: form))
  }

  /// Checks the escape at a backslash and returns the index behind it.
  private mutating func checkEscape(at index: Int) -> Int {
    guard index + 1 < bytes.count else { return index + 1 }
    switch bytes[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"):
      guard let unit = JSONEscapes.unit(in: bytes, at: index + 2) else {
        report(
          "after \\u stand four hexadecimal digits", help: "Write é as \\u00e9, for instance.", from: index,
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
          "this escape is half of a surrogate pair, which is no character",
          help: "Write the character itself, or both halves of the pair.", from: index, to: index + 6)
      }
      return index + 6
    case let letter:
      report(
        "there is no escape \\\(ByteClassification.quoted(bytes, at: index + 1))",
        help: "A backslash itself is written \\\\.", from: index, to: index + 2)
      return letter < 0x20 ? index + 1 : index + 2
    }
  }

  // MARK: Numbers

  /// Whether the whole text is one number of RFC 8259 §6.
  static func isNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    numberEnd(text, from: 0)?.end == text.count
  }

  /// Where the number that begins here ends, and whether it is an integer; nil where its grammar is broken.
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
    // Only an exponent or hundreds of digits lead beyond what a double holds.
    if number.hasExponent || number.end - start > 300,
      NumberText.real(UnsafeBufferPointer(rebasing: bytes[start..<number.end]))?.isFinite != true
    {
      report(
        "the number is too large", help: "A number has to fit an IEEE double, up to about 1.8e308.", from: start,
        to: number.end)
    }
    valueIsRead()
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
        "Remove the leading zero, or put quotes around it."
      } else if text.hasSuffix(".") {
        "Write a digit after the point."
      } else {
        "JSON numbers look like 10, -1.5 and 2e8; put quotes around anything else."
      }
    report("‘\(text)’ is no JSON number", help: help, from: start, to: position)
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
    valueIsRead()
  }

  // MARK: Words

  /// `true`, `false`, `null`, or something that is none of them.
  private mutating func readWord() {
    let start = position
    if matches("true") || matches("false") {
      position += bytes[start] == UInt8(ascii: "t") ? 4 : 5
      builder.scalar(NodeRecord(.bool, start: start, end: position, first: bytes[start] == UInt8(ascii: "t") ? 1 : 0))
      return valueIsRead()
    }
    if matches("null") {
      position += 4
      builder.scalar(NodeRecord(.null, start: start, end: position))
      return valueIsRead()
    }
    switch byte {
    case UInt8(ascii: "]") where expectation == .value && builder.frames.last?.isMapping == false && start > 0:
      return closeAfterComma()
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      return missingValue()
    case UInt8(ascii: "'"): readSingleQuoted()
    default: readStrayWord()
    }
    valueIsRead()
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
      "a value is missing before \(ByteClassification.quoted(bytes, at: start))",
      help: "Write a value, or null where there is none.", from: start, to: start + 1)
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
    report("JSON strings stand in double quotes", help: "Write \" instead of '.", from: start, to: position)
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
      case "true", "false", "null": "Write \(word.lowercased())."
      case "none", "nil", "undefined": "Write null."
      case "nan", "infinity", "inf": "JSON knows no such number; write null or a string."
      default: "A string stands in double quotes."
      }
    let shown = word.unicodeScalars.count == 1 ? ByteClassification.quoted(bytes, at: start) : "‘\(word)’"
    report("\(shown) is no JSON value", help: help, from: start, to: position)
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
  }

  /// A key that stands in no or in single quotes.
  mutating func readKeyWord() {
    let start = position
    switch byte {
    case UInt8(ascii: "'"): readSingleQuoted()
    case UInt8(ascii: "]"): return close()
    case UInt8(ascii: ":"):
      report("a key is missing before this colon", help: "Write \"key\": value.", from: start, to: start + 1)
      builder.scalar(NodeRecord(.string, start: start, end: start, first: start))
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      report("a key is a string in double quotes", help: "Write \"key\": value.", from: start, to: start + 1)
      builder.scalar(NodeRecord(.string, start: start, end: start, first: start))
      expectation = .value
      return
    default:
      position += 1
      while position < bytes.count, Self.continuesWord(bytes[position]) { position += 1 }
      let word = String(decoding: bytes[start..<position], as: UTF8.self)
      report("the key ‘\(word)’ stands in no quotes", help: "Write \"\(word)\".", from: start, to: position)
      builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
    }
    expectation = .colon
  }

  // MARK: Comments

  /// Skips a comment, with a note or an error; false where the slash begins none.
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
        report("a comment has no end", help: "Close it with */.", from: start, to: start + 2)
        return true
      }
      position += 2
    } else {
      return false
    }
    let span = SourceSpan(start: start, end: position)
    if !toleratesComments {
      report(rule: "comment-in-json", "JSON knows no comments", help: "Remove it.", from: start, to: position)
    } else if !notedComments {
      builder.report(.note, rule: "comment-in-json", "this file holds comments; strict JSON forbids them", at: span)
    }
    notedComments = true
    return true
  }
}
