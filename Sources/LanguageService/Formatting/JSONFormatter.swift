/// A formatter for the indentation and the spaces between tokens in JSON with comments. Line breaks are preserved.
/// Objects and arrays that are too long for one line are split across several lines.
struct JSONFormatter {
  struct Token {
    enum Kind {
      case open, close, comma, colon, scalar, lineComment, blockComment
    }

    var kind: Kind
    var range: Range<Int>
    /// The number of line breaks before the token.
    var breaks: Int
    /// For an opening bracket, the index of the closing bracket.
    var match = -1
  }

  private struct Bracket {
    /// The indentation of the line that contains the opening bracket.
    var indentation: Int
    /// Whether the first item is on a different line from the bracket. If so, the closing bracket is on a separate line
    /// too.
    var isBroken: Bool
    /// Whether each item starts a line.
    var dividesItems: Bool
  }

  private let bytes: [UInt8]
  private let unit: Int
  private var tokens: [Token] = []
  private var output: FormattedLines
  private var line: [UInt8] = []
  private var indentation = 0

  init(_ bytes: [UInt8], _ options: FormattingOptions) {
    self.bytes = bytes
    unit = options.tabSize
    output = FormattedLines(like: bytes)
  }

  /// Returns the formatted text, or nil if the brackets do not match.
  func format() -> [UInt8]? {
    guard let tokens = JSONTokens(bytes).tokens, !tokens.isEmpty else { return nil }
    var formatter = self
    formatter.tokens = tokens
    formatter.write()
    return formatter.output.bytes
  }

  private mutating func write() {
    var brackets: [Bracket] = []
    for (index, token) in tokens.enumerated() {
      let closed = token.kind == .close ? brackets.popLast() : nil
      let breaks = breaks(before: index, closed: closed, in: brackets.last)
      if breaks > 0, index > 0 {
        output.add(line)
        if breaks > 1 { output.add([]) }
        indentation = closed?.indentation ?? brackets.last.map { $0.indentation + unit } ?? 0
        line = Array(repeating: 0x20, count: indentation)
      } else if index > 0, needsSpace(before: index) {
        line.append(0x20)
      }
      if token.kind == .open { brackets.append(bracket(at: index)) }
      write(token)
    }
    output.add(line)
  }

  private func breaks(before index: Int, closed: Bracket?, in bracket: Bracket?) -> Int {
    let token = tokens[index]
    guard index > 0, token.kind != .comma, token.kind != .colon else { return 0 }
    let previous = tokens[index - 1].kind
    if token.breaks > 0 { return previous == .colon ? 0 : token.breaks }
    if previous == .lineComment { return 1 }
    if let closed { return closed.isBroken && previous != .open ? 1 : 0 }
    // A comment after a comma refers to the item before the comma.
    let isComment = token.kind == .lineComment || token.kind == .blockComment
    return bracket?.dividesItems == true && !isComment && (previous == .open || previous == .comma) ? 1 : 0
  }

  private func bracket(at index: Int) -> Bracket {
    let end = tokens[index].match
    let isEmpty = end == index + 1
    let isInOneLine = !tokens[index + 1...end].contains { $0.breaks > 0 }
    let isTooLong = isInOneLine && !isEmpty && line.count + inlineLength(from: index) > DocumentFormatter.lineLength
    let isBroken = !isEmpty && tokens[index + 1].breaks > 0
    return Bracket(indentation: indentation, isBroken: isBroken || isTooLong, dividesItems: isTooLong)
  }

  /// Returns the length of an object or array if it is on one line.
  private func inlineLength(from index: Int) -> Int {
    var length = 0
    for position in index...tokens[index].match {
      length += tokens[position].range.count + (position > index && needsSpace(before: position) ? 1 : 0)
    }
    return length
  }

  private func needsSpace(before index: Int) -> Bool {
    let (previous, token) = (tokens[index - 1], tokens[index])
    switch (previous.kind, token.kind) {
    case (_, .comma), (_, .colon): return false
    case (.open, .close): return false
    case (.open, _): return bytes[previous.range.lowerBound] == UInt8(ascii: "{") || token.kind == .blockComment
    case (_, .close): return bytes[token.range.lowerBound] == UInt8(ascii: "}") || previous.kind == .blockComment
    default: return true
    }
  }

  private mutating func write(_ token: Token) {
    let text = bytes[token.range]
    guard token.kind == .blockComment, text.contains(where: ByteClass.isLineEnd) else {
      line += text
      return
    }
    // The lines of a comment are unchanged.
    let parts = text.split(separator: 0x0A, omittingEmptySubsequences: false)
    for (position, part) in parts.enumerated() {
      let part = part.last == 0x0D ? part.dropLast() : part
      if position < parts.count - 1 {
        if position == 0 { output.addFirst(line + part) } else { output.addUnchanged(part) }
        line = []
      } else {
        line = Array(part)
      }
    }
  }
}

/// The tokens of JSON text.
struct JSONTokens {
  private let bytes: [UInt8]
  private var position = 0
  private var found: [JSONFormatter.Token] = []
  private var open: [Int] = []

  /// The tokens, or nil if the brackets do not match.
  private(set) var tokens: [JSONFormatter.Token]?

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    tokens = read() && open.isEmpty ? found : nil
  }

  private mutating func read() -> Bool {
    var breaks = 0
    while position < bytes.count {
      let byte = bytes[position]
      if ByteClass.isWhite(byte) || byte == 0xEF && bytes[position...].starts(with: [0xEF, 0xBB, 0xBF]) {
        if byte == 0x0A || byte == 0x0D && !(position + 1 < bytes.count && bytes[position + 1] == 0x0A) { breaks += 1 }
        guard byte != 0xEF else { return false }
        position += 1
        continue
      }
      let start = position
      let kind = next(byte)
      position = max(position, start + 1)
      found.append(JSONFormatter.Token(kind: kind, range: start..<min(position, bytes.count), breaks: breaks))
      breaks = 0
      if kind == .open { open.append(found.count - 1) }
      if kind == .close {
        guard let first = open.popLast() else { return false }
        found[first].match = found.count - 1
      }
    }
    return true
  }

  private mutating func next(_ byte: UInt8) -> JSONFormatter.Token.Kind {
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      position += 1
      return .open
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      position += 1
      return .close
    case UInt8(ascii: ","):
      position += 1
      return .comma
    case UInt8(ascii: ":"):
      position += 1
      return .colon
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      skipString(byte)
      return .scalar
    case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "/"):
      while position < bytes.count, !ByteClass.isLineEnd(bytes[position]) { position += 1 }
      return .lineComment
    case UInt8(ascii: "/") where position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "*"):
      position += 2
      while position < bytes.count, !bytes[position...].starts(with: "*/".utf8) { position += 1 }
      position = min(position + 2, bytes.count)
      return .blockComment
    default:
      while position < bytes.count, !ByteClass.isWhite(bytes[position]), !"{}[],:\"/".utf8.contains(bytes[position]) {
        position += 1
      }
      return .scalar
    }
  }

  private mutating func skipString(_ quote: UInt8) {
    position += 1
    while position < bytes.count, bytes[position] != quote {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position + 1, bytes.count)
  }
}
