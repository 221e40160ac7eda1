import Diagnostics

/// Reads JSON by RFC 8259, and goes on after a mistake where it is clear what was meant.
///
/// One loop with an explicit stack (the builder's frames), so that deep nesting costs no call stack. This file is the
/// structure; values are read in `JSONReader+Values.swift`.
struct JSONReader {
  enum Expectation { case value, valueOrClose, keyOrClose, key, colon, commaOrClose, end }

  let bytes: UnsafeBufferPointer<UInt8>
  let toleratesComments: Bool
  var builder: TreeBuilder
  var position = 0
  var expectation = Expectation.value
  /// Where the last comma stands, for the message about a trailing one.
  var lastComma = 0
  var notedComments = false
  var notedTrailingComma = false
  var isStopped = false

  static func read(
    _ source: SourceText, limits: ReadingLimits, toleratesComments: Bool, findsDuplicates: Bool = true
  ) -> ReadResult {
    source.bytes.withUnsafeBufferPointer { bytes in
      var builder = TreeBuilder(source: source, limits: limits)
      builder.findsDuplicates = findsDuplicates
      builder.records.reserveCapacity(estimatedNodes(bytes))
      var reader = JSONReader(bytes: bytes, toleratesComments: toleratesComments, builder: builder)
      reader.readDocument()
      return reader.builder.finish(.json)
    }
  }

  init(bytes: UnsafeBufferPointer<UInt8>, toleratesComments: Bool, builder: consuming TreeBuilder) {
    self.bytes = bytes
    self.toleratesComments = toleratesComments
    self.builder = builder
  }

  /// Every node but the root has a comma, a colon or an opening bracket before it. Room that is not used costs no memory,
  /// and for a short text counting costs more than the room.
  private static func estimatedNodes(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    guard bytes.count > 4096 else { return bytes.count / 8 + 1 }
    var count = 1
    for byte in bytes {
      count &+= byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") ? 1 : 0
      count &+= byte | 0x20 == UInt8(ascii: "{") ? 1 : 0
    }
    return min(count, 1 << 24)
  }

  @inline(__always)
  var byte: UInt8 { position < bytes.count ? bytes[position] : 0 }

  mutating func report(
    rule: String = "json-syntax", _ message: String, help: String? = nil, from start: Int, to end: Int? = nil,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) {
    builder.report(
      rule: rule, message, help: help, at: SourceSpan(start: start, end: end ?? start), related: related, fix: fix)
    if builder.isFull { isStopped = true }
  }

  mutating func readDocument() {
    while !isStopped {
      skipBlanks()
      guard position < bytes.count else { return finishAtEnd() }
      switch expectation {
      case .value: readValue()
      case .valueOrClose:
        if byte == UInt8(ascii: "]") { close() } else { readValue() }
      case .keyOrClose:
        if byte == UInt8(ascii: "}") { close() } else { readKey() }
      case .key: readKey()
      case .colon: readColon()
      case .commaOrClose: readCommaOrClose()
      case .end:
        let what = ByteClassification.quoted(bytes, at: position)
        report(
          "something follows the document: \(what)",
          help: "A JSON document is one value; remove what stands behind it.",
          from: position)
        return
      }
    }
  }

  @inline(__always)
  private mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      case UInt8(ascii: "/"):
        guard skipComment() else { return }
      default: return
      }
    }
  }

  private mutating func readColon() {
    if byte == UInt8(ascii: ":") {
      position += 1
      expectation = .value
      return
    }
    let key = builder.records.count - 1
    let name = builder.keyText(key)
    if byte == UInt8(ascii: "=") {
      report(
        "after the key ‘\(name)’ stands ‘=’ where JSON wants ‘:’", help: "Write \"\(name)\": value.", from: position)
      position += 1
    } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
      report("the key ‘\(name)’ has no value", help: "Write \"\(name)\": value.", from: position)
      builder.scalar(NodeRecord(.null, start: position, end: position))
      expectation = .commaOrClose
      return
    } else {
      report("a ‘:’ is missing after the key ‘\(name)’", help: "Write \"\(name)\": value.", from: position)
    }
    expectation = .value
  }

  @inline(__always)
  private mutating func readCommaOrClose() {
    switch byte {
    case UInt8(ascii: ","):
      lastComma = position
      position += 1
      expectation = builder.frames.last?.isMapping == true ? .key : .value
    case UInt8(ascii: "}"), UInt8(ascii: "]"): close()
    default:
      let isMapping = builder.frames.last?.isMapping == true
      let found = ByteClassification.quoted(bytes, at: position)
      guard startsValue || byte == UInt8(ascii: "'") || ByteClassification.isLetter(byte) else {
        report(
          "unexpected \(found): a comma or a closing bracket is wanted here",
          help: "Check the line for a stray character.", from: position, to: position + 1)
        position += 1
        while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
        return
      }
      let before = builder.records.last.map { Int($0.end) } ?? position
      let place = lastEnd(before)
      report(
        "a comma is missing before this \(isMapping ? "entry" : "element")",
        help: "Separate \(isMapping ? "entries" : "elements") with a comma.", from: position, to: position + 1,
        fix: Diagnostic.Fix(
          description: "Put a comma after the one before",
          edits: [Diagnostic.Edit(span: .at(place), replacement: ",")]))
      expectation = isMapping ? .key : .value
    }
  }

  /// The end of the last token before here.
  private func lastEnd(_ fallback: Int) -> Int {
    var index = position
    while index > 0, ByteClassification.isBlank(bytes[index - 1]) { index -= 1 }
    return max(index, fallback)
  }

  var startsValue: Bool {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"): true
    default: ByteClassification.isDigit(byte)
    }
  }

  @inline(__always)
  private mutating func readKey() {
    switch byte {
    case UInt8(ascii: "\""):
      readString()
      expectation = .colon
    case UInt8(ascii: "}"): closeAfterComma()
    case UInt8(ascii: ","):
      report(
        "a key and its value are missing before this comma", help: "Remove one comma.", from: position, to: position + 1
      )
      position += 1
    default: readKeyWord()
    }
  }

  mutating func closeAfterComma() {
    let span = SourceSpan(start: lastComma, end: lastComma + 1)
    let fix = Diagnostic.Fix(
      description: "Remove the comma", edits: [Diagnostic.Edit(span: span, replacement: "")])
    if toleratesComments {
      if !notedTrailingComma {
        builder.report(
          .note, rule: "trailing-comma", "a comma stands before the closing bracket; strict JSON forbids it",
          at: span, fix: fix)
      }
      notedTrailingComma = true
    } else {
      report(
        rule: "trailing-comma", "a comma stands before the closing bracket", help: "Remove the comma.",
        from: span.start, to: span.end, fix: fix)
    }
    close()
  }

  /// A closing bracket: of the innermost container, of one further out, or of none.
  @inline(__always)
  mutating func close() {
    let closesMapping = byte == UInt8(ascii: "}")
    guard let frame = builder.frames.last, frame.isMapping == closesMapping else { return closeWrong() }
    position += 1
    builder.close(end: position)
    expectation = builder.frames.isEmpty ? .end : .commaOrClose
  }

  private mutating func closeWrong() {
    let closesMapping = byte == UInt8(ascii: "}")
    let found = closesMapping ? "}" : "]"
    guard let frame = builder.frames.last else {
      report("‘\(found)’ closes nothing", help: "Remove it.", from: position, to: position + 1)
      position += 1
      return
    }
    let opener = Int(builder.records[frame.index].start)
    report(
      "‘\(found)’ stands where ‘\(frame.isMapping ? "}" : "]")’ is wanted",
      help: "Close what was opened last first.", from: position, to: position + 1,
      related: [
        Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
      ])
    // Where a container further out is closed by this bracket, the inner ones were forgotten; otherwise it is a slip.
    if builder.frames.contains(where: { $0.isMapping == closesMapping }) {
      while let inner = builder.frames.last, inner.isMapping != closesMapping { builder.close(end: position) }
    }
    position += 1
    builder.close(end: position)
    expectation = builder.frames.isEmpty ? .end : .commaOrClose
  }

  private mutating func finishAtEnd() {
    if let frame = builder.frames.last {
      let opener = Int(builder.records[frame.index].start)
      report(
        "the document ends before its \(frame.isMapping ? "‘}’" : "‘]’")",
        help: "Close every bracket, or check whether the file was cut off.", from: bytes.count,
        related: [
          Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
        ])
    } else if expectation != .end {
      report(
        rule: builder.records.isEmpty ? "empty-document" : "json-syntax", "the document holds no value",
        help: "Write a JSON value, such as {}.", from: bytes.count)
    }
  }
}
