import Diagnostics

/// A scanner that finds comments and skips strings and other tokens in which comment markers have no meaning.
struct CommentScan {
  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  var comments: [Comment] = []

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  func has(_ mark: StaticString) -> Bool {
    guard position + mark.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<mark.utf8CodeUnitCount where bytes[position + offset] != mark.utf8Start[offset] { return false }
    return true
  }

  func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

  mutating func skipToLineEnd() {
    while position < bytes.count, !isLineEnd(bytes[position]) { position += 1 }
  }

  /// Moves to the end of the next occurrence of `mark` or to the end of the text. Returns whether it was found.
  @discardableResult
  mutating func skip(beyond mark: StaticString) -> Bool {
    while position < bytes.count {
      if bytes[position] == mark.utf8Start[0], has(mark) {
        position += mark.utf8CodeUnitCount
        return true
      }
      position += 1
    }
    return false
  }

  /// Adds the comment from `start` to the current position. `opening` and `closing` are the lengths of its markers.
  mutating func add(from start: Int, opening: Int, closing: Int = 0) {
    guard comments.count < Comments.maximumCount else {
      position = bytes.count
      return
    }
    let inner = min(start + opening, position)..<max(position - closing, min(start + opening, position))
    var text = Substring(String(decoding: bytes[inner], as: UTF8.self))
    text = text.drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    comments.append(
      Comment(text: String(text), span: SourceSpan(start: start, end: position), standsAlone: standsAlone(from: start)))
  }

  private func standsAlone(from start: Int) -> Bool {
    var before = start
    while before > 0, !isLineEnd(bytes[before - 1]) {
      before -= 1
      guard ByteClassification.isBlank(bytes[before]) else { return false }
    }
    var after = position
    while after < bytes.count, !isLineEnd(bytes[after]) {
      guard ByteClassification.isBlank(bytes[after]) else { return false }
      after += 1
    }
    return true
  }

  /// Adds a comment that starts here with `//` or `/*`, or returns false.
  private mutating func addSlashes() -> Bool {
    let start = position
    if has("//") {
      skipToLineEnd()
      add(from: start, opening: 2)
      return true
    }
    guard has("/*") else { return false }
    position += 2
    let isClosed = skip(beyond: "*/")
    add(from: start, opening: 2, closing: isClosed ? 2 : 0)
    return true
  }

  /// Moves to the end of a quoted string. In JSON, a string does not continue past the end of its line.
  private mutating func skipString(staysInLine: Bool) {
    let quote = bytes[position]
    position += 1
    while position < bytes.count, bytes[position] != quote {
      if staysInLine, isLineEnd(bytes[position]) { return }
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }

  mutating func json() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(staysInLine: true)
      case UInt8(ascii: "/"):
        if !addSlashes() { position += 1 }
      default: position += 1
      }
    }
  }

  mutating func openStep() {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): skipString(staysInLine: false)
      case UInt8(ascii: "<"): skip(beyond: ">")
      case UInt8(ascii: "/"):
        if !addSlashes() { position += 1 }
      case let byte where OpenStepReader.isBare(byte):
        // URLs such as https://login.contoso.com are unquoted words.
        while position < bytes.count, OpenStepReader.isBare(bytes[position]) { position += 1 }
      default: position += 1
      }
    }
  }

  mutating func xcconfig() {
    while skip(beyond: "//") {
      let start = position - 2
      skipToLineEnd()
      add(from: start, opening: 2)
    }
  }

  mutating func xml() {
    while position < bytes.count {
      guard bytes[position] == UInt8(ascii: "<") else {
        position += 1
        continue
      }
      let start = position
      if has("<!--") {
        position += 4
        let isClosed = skip(beyond: "-->")
        add(from: start, opening: 4, closing: isClosed ? 3 : 0)
      } else if has("<![CDATA[") {
        skip(beyond: "]]>")
      } else if has("<?") {
        skip(beyond: "?>")
      } else if has("<!") {
        // A document type may contain comments between its declarations.
        position += 2
      } else {
        position = max(XMLTag(bytes, at: start).end, start + 1)
      }
    }
  }
}
