import Diagnostics

/// A reader for OpenStep property lists: `{ key = value; }`, `( a, b )`, `<0fbd77>`, quoted and unquoted words, and
/// comments. The reader also accepts pairs without braces, as in `.strings` files, and GNUstep's typed values (`<*I5>`,
/// `<[base64]>`).
struct OpenStepReader {
  enum Expectation { case value, key, equals, semicolon, valueOrClose, commaOrClose, end }

  let bytes: UnsafeBufferPointer<UInt8>
  var builder: TreeBuilder
  var position = 0
  var expectation = Expectation.value
  /// Whether the root mapping is written without braces and therefore ends at the end of the text.
  var isStringsFile = false
  var isStopped = false

  static func read(_ source: SourceText, limits: ReadingLimits) -> ReadResult {
    source.bytes.withUnsafeBufferPointer { bytes in
      var reader = Self(bytes: bytes, builder: TreeBuilder(source: source, limits: limits))
      reader.readDocument()
      return reader.builder.finish(.openStepPropertyList)
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>, builder: consuming TreeBuilder) {
    self.bytes = bytes
    self.builder = builder
  }

  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func report(
    _ message: String, help: String? = nil, from start: Int, to end: Int, related: [Diagnostic.Related] = []
  ) {
    builder.report(
      rule: "plist-syntax", message, help: help, at: SourceSpan(start: start, end: min(end, bytes.count)),
      related: related)
    if builder.isFull { isStopped = true }
  }

  private mutating func readDocument() {
    skipBlanks()
    if hasPairsWithoutBraces() {
      isStringsFile = true
      _ = builder.open(.mapping, at: position)
      expectation = .key
    }
    while !isStopped {
      skipBlanks()
      guard position < bytes.count else { return finishAtEnd() }
      switch expectation {
      case .value: readValue()
      case .key: readKey()
      case .equals: readEquals()
      case .semicolon: readSemicolon()
      case .valueOrClose:
        if byte == UInt8(ascii: ")") { close() } else { readValue() }
      case .commaOrClose: readCommaOrClose()
      case .end:
        return report(
          "unexpected \(ByteClassification.quoted(bytes, at: position)) after the property list",
          help: "remove everything after the first value", from: position, to: position + 1)
      }
    }
  }

  /// Returns whether `=` or `;` follows the first word.
  private func hasPairsWithoutBraces() -> Bool {
    var copy = self
    guard copy.byte != UInt8(ascii: "{"), copy.byte != UInt8(ascii: "("), copy.byte != UInt8(ascii: "<") else {
      return false
    }
    if copy.byte == UInt8(ascii: "\"") || copy.byte == UInt8(ascii: "'") {
      let quote = copy.byte
      copy.position += 1
      while copy.position < bytes.count, copy.byte != quote { copy.position += copy.byte == UInt8(ascii: "\\") ? 2 : 1 }
      copy.position += 1
    } else {
      while copy.position < bytes.count, Self.isBare(copy.byte) { copy.position += 1 }
    }
    copy.skipBlanks()
    return copy.byte == UInt8(ascii: "=") || copy.byte == UInt8(ascii: ";")
  }

  mutating func skipBlanks() {
    while position < bytes.count {
      if ByteClassification.isBlank(byte) {
        position += 1
      } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "/") {
        while position < bytes.count, byte != 0x0A, byte != 0x0D { position += 1 }
      } else if byte == UInt8(ascii: "/"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "*") {
        let start = position
        position += 2
        while position + 1 < bytes.count, byte != UInt8(ascii: "*") || bytes[position + 1] != UInt8(ascii: "/") {
          position += 1
        }
        if position + 1 >= bytes.count {
          position = bytes.count
          report("unclosed comment", help: "add `*/`", from: start, to: start + 2)
        } else {
          position += 2
        }
      } else if bytes[position...].starts(with: [0xE2, 0x80, 0xA8])
        || bytes[position...].starts(with: [0xE2, 0x80, 0xA9])
      {
        // Line and paragraph separators count as whitespace.
        position += 3
      } else {
        return
      }
    }
  }

  // MARK: Structure

  func afterValue() -> Expectation {
    guard let frame = builder.frames.last else { return .end }
    return frame.isMapping ? .semicolon : .commaOrClose
  }

  private mutating func readValue() {
    switch byte {
    case UInt8(ascii: "{"): open(.mapping, .key)
    case UInt8(ascii: "("): open(.array, .valueOrClose)
    case UInt8(ascii: "<"):
      readAngle()
      expectation = afterValue()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      readQuoted()
      expectation = afterValue()
    case let byte where Self.isBare(byte):
      readBare()
      expectation = afterValue()
    case UInt8(ascii: ")") where builder.frames.last?.isMapping == false: close()
    case UInt8(ascii: ";"), UInt8(ascii: "}"), UInt8(ascii: ","), UInt8(ascii: ")"):
      report(
        "missing value before \(ByteClassification.quoted(bytes, at: position))",
        help: "add a value, or `\"\"` for an empty string",
        from: position, to: position + 1)
      if builder.awaitsValue { builder.scalar(NodeRecord(.string, start: position, end: position, first: position)) }
      if builder.frames.isEmpty { isStopped = true }
      expectation = afterValue()
      if expectation == .commaOrClose, byte == UInt8(ascii: ";") { position += 1 }
    default: skipUnexpected("a value")
    }
  }

  private mutating func open(_ kind: NodeRecord.Kind, _ next: Expectation) {
    guard builder.open(kind, at: position) else {
      isStopped = true
      return
    }
    position += 1
    expectation = next
  }

  private mutating func skipUnexpected(_ wanted: String) {
    let start = position
    position += 1
    while position < bytes.count, byte & 0xC0 == 0x80 { position += 1 }
    report(
      "expected \(wanted), found \(ByteClassification.quoted(bytes, at: start))",
      help: "put text with this character in double quotes", from: start, to: position)
  }

  private mutating func readKey() {
    switch byte {
    case UInt8(ascii: "}"): close()
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      readQuoted()
      expectation = .equals
    case let byte where Self.isBare(byte):
      readBare()
      expectation = .equals
    default: skipUnexpected("a key")
    }
  }

  private mutating func readEquals() {
    let key = builder.records.count - 1
    switch byte {
    case UInt8(ascii: "="):
      position += 1
      expectation = .value
    case UInt8(ascii: ";"):
      // As in strings files, if an entry has no value, the key is also the value.
      var copy = builder.records[key]
      copy.start = copy.first
      copy.end = copy.first + (copy.form == .pooled ? 0 : copy.second)
      if copy.form == .pooled {
        copy.start = builder.records[key].start
        copy.end = builder.records[key].end
      }
      builder.scalar(copy)
      expectation = .semicolon
    default:
      let name = builder.keyText(key)
      report(
        "missing `=` after the key `\(name)`", help: "write `\(name) = value;`", from: position, to: position + 1)
      if byte == UInt8(ascii: ":") { position += 1 }
      expectation = .value
    }
  }

  private mutating func readSemicolon() {
    if byte == UInt8(ascii: ";") {
      position += 1
      expectation = .key
      return
    }
    if byte == UInt8(ascii: "}"), !isStringsFile || builder.frames.count > 1 {
      report("missing `;` after the value", help: "end every entry with `;`", from: position, to: position + 1)
      return close()
    }
    report("missing `;` before this entry", help: "end every entry with `;`", from: position, to: position + 1)
    if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ")") || byte == UInt8(ascii: "}") { position += 1 }
    expectation = .key
  }

  private mutating func readCommaOrClose() {
    switch byte {
    case UInt8(ascii: ","):
      position += 1
      expectation = .valueOrClose
    case UInt8(ascii: ")"): close()
    case UInt8(ascii: "}"), UInt8(ascii: ";"), UInt8(ascii: "="):
      skipUnexpected("`,` or `)`")
    default:
      report(
        "missing comma before this element", help: "separate elements with commas", from: position,
        to: position + 1)
      expectation = .valueOrClose
    }
  }

  private mutating func close() {
    position += 1
    builder.close(end: position)
    expectation = afterValue()
    if isStringsFile, builder.frames.isEmpty { expectation = .end }
  }

  private mutating func finishAtEnd() {
    if isStringsFile, builder.frames.count == 1 {
      if expectation == .equals || expectation == .value {
        report("missing value in the last entry", help: "write `key = value;`", from: bytes.count, to: bytes.count)
      } else if expectation == .semicolon {
        report(
          "missing `;` after the last entry", help: "end every entry with `;`", from: bytes.count, to: bytes.count)
      }
      return
    }
    if let frame = builder.frames.last {
      let opener = Int(builder.records[frame.index].start)
      report(
        "missing `\(frame.isMapping ? "}" : ")")` at the end of the document",
        help: "close every bracket, and check whether the file is truncated", from: bytes.count, to: bytes.count,
        related: [
          Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
        ])
    } else if builder.records.isEmpty {
      builder.report(
        rule: "empty-document", "file contains only comments",
        help: "add a property list, such as `{ key = value; }`", at: .at(0))
    }
  }
}
