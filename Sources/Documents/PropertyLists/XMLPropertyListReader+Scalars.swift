import Diagnostics

extension XMLPropertyListReader {
  /// Adds the scalar whose closing tag was read. The text of the scalar is between the tags.
  mutating func close(_ open: OpenScalar, end position: Int) {
    var end = min(position, bytes.count)
    let isClosed = end > open.start && bytes[end - 1] == UInt8(ascii: ">")
    var textStart = max(open.start, open.tagEnd)
    while textStart < end, bytes[textStart] != UInt8(ascii: ">") { textStart += 1 }
    textStart = min(textStart + 1, end)
    var textEnd = end
    if textStart > open.start + 1, textStart <= end, textStart >= 2, bytes[textStart - 2] == UInt8(ascii: "/") {
      // <string/>
      textEnd = textStart
      end = textStart
    } else if isClosed {
      while textEnd > textStart, bytes[textEnd - 1] != UInt8(ascii: "<") { textEnd -= 1 }
      textEnd = max(textStart, textEnd - 1)
    }
    var form = NodeRecord.Form.verbatim
    var index = textStart
    while index < textEnd {
      let byte = bytes[index]
      if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "\r") {
        form = .xmlMarkup
        break
      }
      index += 1
    }
    add(open.tag, open.start, end, textStart, textEnd, form)
  }

  private mutating func add(
    _ tag: Tag, _ start: Int, _ end: Int, _ textStart: Int, _ textEnd: Int, _ form: NodeRecord.Form
  ) {
    var record = NodeRecord(
      .string, start: start, end: end, first: textStart, second: textEnd - textStart, form: form)
    switch tag {
    case .bool(let value):
      record.kind = .bool
      record.first = value ? 1 : 0
      record.second = 0
      if !Trimmed(bytes, textStart, textEnd).range.isEmpty, form == .verbatim {
        report("unexpected text in `<\(value)>`", help: "write `<\(value)/>`", from: textStart, to: textEnd)
      }
    case .integer:
      read(&record, .integer, "an integer", "use decimal digits, or `0x` and hexadecimal digits", isInteger)
    case .real: read(&record, .real, "a number", "use a number such as `-1.5e3`, `nan`, or `inf`", isReal)
    case .date:
      read(&record, .date, "a date", "use a date in UTC, such as `2025-01-31T12:00:00Z`") { text in
        DateText.read(text) != nil
      }
    case .data:
      record.kind = .data
      if !Self.isBase64(decoded(record)) {
        report(
          "invalid base64 data", help: "use A–Z, a–z, 0–9, `+`, and `/`, with `=` at the end", from: start,
          to: end)
        record.second = 0
      }
    default: break
    }
    builder.scalar(record)
  }

  /// Reads a number or date with optional whitespace around it. Reports an error for invalid text and keeps the text as
  /// a string.
  private mutating func read(
    _ record: inout NodeRecord, _ kind: NodeRecord.Kind, _ what: String, _ help: String,
    _ isValid: (UnsafeBufferPointer<UInt8>) -> Bool
  ) {
    if record.form == .verbatim {
      let text = Trimmed(bytes, Int(record.first), Int(record.first) + Int(record.second))
      if isValid(UnsafeBufferPointer(rebasing: bytes[text.range])) {
        record.kind = kind
        record.first = UInt32(text.range.lowerBound)
        record.second = UInt32(text.range.count)
        return
      }
    } else {
      let text = decoded(record)
      let trimmed: ArraySlice<UInt8> = text.withUnsafeBufferPointer { text[Trimmed($0, 0, $0.count).range] }
      if trimmed.withUnsafeBufferPointer(isValid) {
        record.kind = kind
        record.first = UInt32(builder.pool.count)
        record.second = UInt32(trimmed.count)
        record.form = .pooled
        builder.pool.append(contentsOf: trimmed)
        return
      }
    }
    let excerpt = String(decoding: decoded(record).prefix(40), as: UTF8.self)
    report(
      excerpt.isEmpty ? "empty element, expected \(what)" : "`\(excerpt)` is not \(what)", help: help,
      from: Int(record.start), to: Int(record.end))
  }

  private func decoded(_ record: NodeRecord) -> [UInt8] {
    let raw = UnsafeBufferPointer(rebasing: bytes[record.textRange])
    return record.form == .xmlMarkup ? XMLMarkup.decode(raw) : Array(raw)
  }

  private func isInteger(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var digits = text[...]
    if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
    guard !digits.isEmpty else { return false }
    if digits.allSatisfy(ByteClassification.isDigit) { return true }
    return digits.count > 2 && digits.dropFirst().first.map { $0 | 0x20 } == UInt8(ascii: "x")
      && NumberText.integer(text) != nil
  }

  private func isReal(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first else { return false }
    // `Double` also accepts hexadecimal numbers, which are not valid in property lists.
    guard !text.contains(where: { $0 | 0x20 == UInt8(ascii: "x") || $0 | 0x20 == UInt8(ascii: "p") }) else {
      return false
    }
    _ = first
    return NumberText.real(text) != nil
  }

  private static func isBase64(_ text: [UInt8]) -> Bool {
    Base64.decodeLenient(text) != nil
  }

  /// The range of text without surrounding whitespace.
  private struct Trimmed {
    var range: Range<Int>

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) {
      var (start, end) = (start, end)
      while start < end, ByteClassification.isBlank(bytes[start]) { start += 1 }
      while end > start, ByteClassification.isBlank(bytes[end - 1]) { end -= 1 }
      range = start..<end
    }
  }
}
