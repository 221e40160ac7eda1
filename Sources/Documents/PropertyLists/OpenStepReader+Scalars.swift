import Diagnostics

extension OpenStepReader {
  /// Returns whether a byte may be part of an unquoted word.
  static func isBare(_ byte: UInt8) -> Bool {
    ByteClassification.isLetter(byte) || ByteClassification.isDigit(byte) || byte >= 0x80
      || barePunctuation.contains(byte)
  }

  private static let barePunctuation: [UInt8] = Array("_$/:.-+@*#%!?&|^~[]`\\".utf8)

  mutating func readBare() {
    let start = position
    while position < bytes.count, Self.isBare(byte) { position += 1 }
    builder.scalar(NodeRecord(.string, start: start, end: position, first: start, second: position - start))
  }

  mutating func readQuoted() {
    let start = position
    let quote = byte
    position += 1
    var hasEscapes = false
    while position < bytes.count, byte != quote {
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position += 1
      }
      position += 1
    }
    let end = min(position, bytes.count)
    if position < bytes.count {
      position += 1
    } else {
      position = bytes.count
      report(
        "unclosed string", help: "add the closing quote", from: start,
        to: start + 1)
    }
    if hasEscapes {
      let text = OpenStepEscapes.decode(UnsafeBufferPointer(rebasing: bytes[start + 1..<end]))
      builder.pooled(.string, start: start, end: position, text: text)
    } else {
      builder.scalar(NodeRecord(.string, start: start, end: position, first: start + 1, second: end - start - 1))
    }
  }

  /// Reads `<0fbd77>`, and GNUstep's `<*I5>`, `<*R1.5>`, `<*BY>`, `<*D2011-10-05 14:48:00 +0000>`, and `<[base64]>`.
  mutating func readAngle() {
    let start = position
    while position < bytes.count, byte != UInt8(ascii: ">") { position += 1 }
    let end = position
    if position < bytes.count {
      position += 1
    } else {
      report("unclosed data", help: "add `>`", from: start, to: start + 1)
    }
    let inner = start + 1
    if inner < end, bytes[inner] == UInt8(ascii: "*") { return readTyped(start, inner + 1, end) }
    if inner + 1 < end, bytes[inner] == UInt8(ascii: "["), bytes[end - 1] == UInt8(ascii: "]") {
      let record = NodeRecord(.data, start: start, end: position, first: inner + 1, second: end - inner - 2)
      return add(record, "base64") { Base64.decodeLenient($0) != nil }
    }
    let record = NodeRecord(.data, start: start, end: position, first: inner, second: end - inner, form: .hexDigits)
    add(record, "hexadecimal data") { HexText.decode($0) != nil }
  }

  private mutating func readTyped(_ start: Int, _ inner: Int, _ end: Int) {
    // The first letter specifies the type. If the first character is not a type letter, it belongs to the text.
    var (first, last) = (min(inner < end && bytes[inner] < 0x80 ? inner + 1 : inner, end), end)
    if last - first >= 2, bytes[first] == UInt8(ascii: "\""), bytes[last - 1] == UInt8(ascii: "\"") {
      first += 1
      last -= 1
    }
    var record = NodeRecord(.string, start: start, end: position, first: first, second: last - first)
    switch inner < end ? bytes[inner] : 0 {
    case UInt8(ascii: "I"):
      record.kind = .integer
      add(record, "an integer") { text in NumberText.integer(text) != nil }
    case UInt8(ascii: "R"):
      record.kind = .real
      add(record, "a number") { NumberText.real($0) != nil }
    case UInt8(ascii: "D"):
      record.kind = .date
      add(record, "a date") { DateText.read($0) != nil }
    case UInt8(ascii: "B"):
      let isTrue = first < last && bytes[first] == UInt8(ascii: "Y")
      guard isTrue || first < last && bytes[first] == UInt8(ascii: "N") else {
        return add(record, "`Y` or `N`") { _ in false }
      }
      builder.scalar(NodeRecord(.bool, start: start, end: position, first: isTrue ? 1 : 0))
    default: add(record, "a typed value (`I`, `R`, `B`, or `D`)") { _ in false }
    }
  }

  /// Adds the scalar if its text is valid. Otherwise, reports an error and adds the text as a string.
  private mutating func add(
    _ record: NodeRecord, _ what: String, _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    var record = record
    if !isValid(UnsafeBufferPointer(rebasing: bytes[record.textRange])) {
      let text = String(decoding: bytes[record.textRange].prefix(40), as: UTF8.self)
      report(
        "`\(text)` is not \(what)", help: "put text in double quotes", from: Int(record.start), to: Int(record.end))
      record.kind = .string
      record.form = .verbatim
    }
    builder.scalar(record)
  }
}
