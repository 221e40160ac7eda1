import Diagnostics

/// Reads OpenStep property lists: `{ key = value; }`, `( a, b )`, `<0fbd77>`, quoted and bare words, comments; pairs
/// without braces as in `.strings` files; and GNUstep's typed values (`<*I5>`, `<[base64]>`).
struct OpenStepReader {
  enum Expectation { case value, key, equals, semicolon, valueOrClose, commaOrClose, end }

  let bytes: UnsafeBufferPointer<UInt8>
  var builder: TreeBuilder
  var position = 0
  var expectation = Expectation.value
  /// Pairs without braces: the root mapping ends with the text.
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
          "something follows the document: \(ByteClassification.quoted(bytes, at: position))",
          help: "A property list is one value; remove what stands behind it.", from: position, to: position + 1)
      }
    }
  }

  /// The first word is followed by `=` or `;`.
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
          report("a comment has no end", help: "Close it with */.", from: start, to: start + 2)
        } else {
          position += 2
        }
      } else if bytes[position...].starts(with: [0xE2, 0x80, 0xA8])
        || bytes[position...].starts(with: [0xE2, 0x80, 0xA9])
      {
        // Line and paragraph separators count as blanks.
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
        "a value is missing before \(ByteClassification.quoted(bytes, at: position))",
        help: "Write a value, or \"\" for an empty text.",
        from: position, to: position + 1)
      if builder.awaitsValue { builder.scalar(NodeRecord(.string, start: position, end: position, first: position)) }
      if builder.frames.isEmpty { isStopped = true }
      expectation = afterValue()
      if expectation == .commaOrClose, byte == UInt8(ascii: ";") { position += 1 }
    default: skipStray("a value")
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

  private mutating func skipStray(_ wanted: String) {
    let start = position
    position += 1
    while position < bytes.count, byte & 0xC0 == 0x80 { position += 1 }
    report(
      "\(ByteClassification.quoted(bytes, at: start)) stands where \(wanted) is wanted",
      help: "Put text that holds such a character in double quotes.", from: start, to: position)
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
    default: skipStray("a key")
    }
  }

  private mutating func readEquals() {
    let key = builder.records.count - 1
    switch byte {
    case UInt8(ascii: "="):
      position += 1
      expectation = .value
    case UInt8(ascii: ";"):
      // A key alone stands for itself, as in strings files.
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
        "‘=’ is missing after the key ‘\(name)’", help: "Write \(name) = value;", from: position, to: position + 1)
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
      report("‘;’ is missing after this value", help: "End every entry with ‘;’.", from: position, to: position + 1)
      return close()
    }
    report("‘;’ is missing before this entry", help: "End every entry with ‘;’.", from: position, to: position + 1)
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
      skipStray("‘,’ or ‘)’")
    default:
      report(
        "a comma is missing before this element", help: "Separate elements with commas.", from: position,
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
        report("the last entry has no value", help: "Write key = value;", from: bytes.count, to: bytes.count)
      } else if expectation == .semicolon {
        report(
          "‘;’ is missing after the last entry", help: "End every entry with ‘;’.", from: bytes.count, to: bytes.count)
      }
      return
    }
    if let frame = builder.frames.last {
      let opener = Int(builder.records[frame.index].start)
      report(
        "the document ends before its \(frame.isMapping ? "‘}’" : "‘)’")",
        help: "Close every bracket, or check whether the file was cut off.", from: bytes.count, to: bytes.count,
        related: [
          Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
        ])
    } else if builder.records.isEmpty {
      builder.report(
        rule: "empty-document", "the file holds nothing but comments",
        help: "Write a property list into it, such as { key = value; }.", at: .at(0))
    }
  }
}
