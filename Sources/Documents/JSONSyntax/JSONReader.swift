import Diagnostics

/// A JSON reader (RFC 8259) that recovers from an error if the intended meaning is clear.
///
/// The reader uses a loop with an explicit stack (the builder's frames), so deep nesting cannot overflow the call
/// stack. This file contains the code that reads the structure. `JSONReader+Values.swift` contains the code that reads
/// values.
struct JSONReader {
  enum Expectation { case value, valueOrClose, keyOrClose, key, colon, commaOrClose, end }

  let bytes: UnsafeBufferPointer<UInt8>
  let toleratesComments: Bool
  var builder: TreeBuilder
  var position = 0
  var expectation = Expectation.value
  /// The offset of the last comma, for reporting a trailing comma.
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

  /// Returns an estimate of the number of nodes, to reserve capacity. Every node except the root follows a comma, a
  /// colon, or an opening bracket. Unused capacity does not occupy physical memory. For a short text, a rough
  /// estimate is faster than counting.
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
        let text = ByteClassification.quoted(bytes, at: position)
        report(
          "unexpected \(text) after the JSON value",
          help: "remove everything after the first value",
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
        "expected `:` after the key `\(name)`, found `=`", help: "write `\"\(name)\": value`", from: position)
      position += 1
    } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
      report("missing value for the key `\(name)`", help: "write `\"\(name)\": value`", from: position)
      builder.scalar(NodeRecord(.null, start: position, end: position))
      expectation = .commaOrClose
      return
    } else {
      report("missing `:` after the key `\(name)`", help: "write `\"\(name)\": value`", from: position)
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
          "unexpected \(found): expected a comma or a closing bracket",
          help: "check the line for a stray character", from: position, to: position + 1)
        position += 1
        while position < bytes.count, bytes[position] & 0xC0 == 0x80 { position += 1 }
        return
      }
      let before = builder.records.last.map { Int($0.end) } ?? position
      let place = lastEnd(before)
      report(
        "missing comma before this \(isMapping ? "member" : "element")",
        help: "separate \(isMapping ? "members" : "elements") with commas", from: position, to: position + 1,
        fix: Diagnostic.Fix(
          description: "add a comma",
          edits: [Diagnostic.Edit(span: .at(place), replacement: ",")]))
      expectation = isMapping ? .key : .value
    }
  }

  /// Returns the end of the last token before the current position.
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
        "missing member before the comma", help: "remove one comma", from: position, to: position + 1
      )
      position += 1
    default: readKeyWord()
    }
  }

  mutating func closeAfterComma() {
    let span = SourceSpan(start: lastComma, end: lastComma + 1)
    let fix = Diagnostic.Fix(
      description: "remove the comma", edits: [Diagnostic.Edit(span: span, replacement: "")])
    if toleratesComments {
      if !notedTrailingComma {
        builder.report(
          .note, rule: "trailing-comma", "trailing commas are not part of JSON, and strict parsers reject them",
          at: span, fix: fix)
      }
      notedTrailingComma = true
    } else {
      report(
        rule: "trailing-comma", "trailing comma before the closing bracket", help: "remove the comma",
        from: span.start, to: span.end, fix: fix)
    }
    close()
  }

  /// Reads a closing bracket. It may close the innermost container, an outer container, or none.
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
      report("unmatched `\(found)`", help: "remove it", from: position, to: position + 1)
      position += 1
      return
    }
    let opener = Int(builder.records[frame.index].start)
    report(
      "expected `\(frame.isMapping ? "}" : "]")`, found `\(found)`",
      help: "close the innermost bracket first", from: position, to: position + 1,
      related: [
        Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
      ])
    // If the bracket closes an outer container, the closing brackets of the inner containers are missing. Otherwise,
    // the bracket is a typo.
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
        "missing `\(frame.isMapping ? "}" : "]")` at the end of the document",
        help: "close every bracket, and check whether the file is truncated", from: bytes.count,
        related: [
          Diagnostic.Related("opened here", at: FileSpan(builder.source, SourceSpan(start: opener, end: opener + 1)))
        ])
    } else if expectation != .end {
      report(
        rule: builder.records.isEmpty ? "empty-document" : "json-syntax", "document without a value",
        help: "add a JSON value, such as `{}`", from: bytes.count)
    }
  }
}
