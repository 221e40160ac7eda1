import Diagnostics

/// A parser that builds an outline from any text.
///
/// A mark is inserted at the cursor, so that the tree has a scalar there even if there is no text. Spans refer to the
/// text with the mark.
struct OutlineReader {
  /// The mark, a character that no format allows.
  static let mark: UInt8 = 0x01
  static let sizeLimit = 4 << 20
  static let depthLimit = 100

  let bytes: [UInt8]
  let isJSON: Bool
  let cursor: Int?
  var position = 0
  var depth = 0

  init(_ bytes: [UInt8], isJSON: Bool, cursor: Int?) {
    self.bytes = bytes
    self.isJSON = isJSON
    self.cursor = cursor
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  var isAtEnd: Bool { position >= bytes.count }
  var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  func byte(at index: Int) -> UInt8? { index >= 0 && index < bytes.count ? bytes[index] : nil }

  func isMark(_ index: Int) -> Bool { index == cursor }

  /// Whether a range contains the cursor.
  func hasMark(_ range: Range<Int>) -> Bool { cursor.map { range.contains($0) } ?? false }

  static func isSpace(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x09 }
  static func isLineEnd(_ byte: UInt8?) -> Bool { byte == nil || byte == 0x0A || byte == 0x0D }

  /// Returns the text of a range without the mark.
  func text(_ range: Range<Int>) -> String {
    guard let cursor, range.contains(cursor) else { return String(decoding: bytes[range], as: UTF8.self) }
    return String(decoding: bytes[range.lowerBound..<cursor] + bytes[(cursor + 1)..<range.upperBound], as: UTF8.self)
  }

  func scalar(_ range: Range<Int>, isFlow: Bool = false) -> OutlineNode {
    OutlineNode(
      kind: .scalar, text: text(range), span: SourceSpan(start: range.lowerBound, end: range.upperBound), isFlow: isFlow
    )
  }

  // MARK: Lines

  func lineEnd(from start: Int) -> Int {
    var index = start
    while !Self.isLineEnd(byte(at: index)) { index += 1 }
    return index
  }

  func lineStart(of index: Int) -> Int {
    var index = min(index, bytes.count)
    while index > 0, bytes[index - 1] != 0x0A, bytes[index - 1] != 0x0D { index -= 1 }
    return index
  }

  func column(of index: Int) -> Int { index - lineStart(of: index) }

  mutating func skipSpaces() {
    while Self.isSpace(current) { position += 1 }
  }

  /// Skips blank lines and comments in YAML.
  /// - Returns: The column of the next text, or nil at the end.
  mutating func skipToText() -> Int? {
    while !isAtEnd {
      skipSpaces()
      let isCommentStart =
        current == UInt8(ascii: "#")
        && (position == 0 || Self.isSpace(byte(at: position - 1)) || Self.isLineEnd(byte(at: position - 1))
          || isMark(position - 1))
      if isCommentStart {
        position = lineEnd(from: position)
      } else if !isAtEnd, Self.isLineEnd(current) {
        position += 1
      } else {
        break
      }
    }
    return isAtEnd ? nil : column(of: position)
  }

  // MARK: Quotes

  /// Reads a quoted scalar. If the closing quote is missing, the scalar ends at the end of the line.
  /// - Parameter column: In YAML, continuation lines are indented by more than this column.
  mutating func quoted(indentedBy column: Int? = nil, isFlow: Bool) -> OutlineNode {
    let quote = bytes[position]
    let start = position
    var index = position + 1
    var end: Int?
    while index < bytes.count {
      let byte = bytes[index]
      if byte == quote {
        // In YAML, two single quotes are an escaped quote.
        if quote == UInt8(ascii: "'"), self.byte(at: index + 1) == quote {
          index += 2
          continue
        }
        end = index + 1
        break
      }
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), !isMark(index + 1) {
        index += Self.isLineEnd(self.byte(at: index + 1)) ? 1 : 2
        continue
      }
      if Self.isLineEnd(byte) {
        guard let column, continues(after: index, column) else { break }
      }
      index += 1
    }
    let close = end ?? lineEnd(from: start + 1)
    position = close
    let inner = (start + 1)..<max(start + 1, end == nil ? close : close - 1)
    return OutlineNode(
      kind: .scalar, text: Self.unescaped(text(inner), quote: quote),
      style: quote == UInt8(ascii: "'") ? .singleQuoted : .doubleQuoted,
      span: SourceSpan(start: start, end: close), isFlow: isFlow, isClosed: end != nil)
  }

  /// Whether a quoted scalar continues after the end of a line.
  private func continues(after index: Int, _ column: Int) -> Bool {
    var next = index + 1
    while Self.isSpace(byte(at: next)) { next += 1 }
    guard next < bytes.count else { return false }
    return Self.isLineEnd(bytes[next]) || self.column(of: next) > column && keyEnd(from: next) == nil
  }

  private static func unescaped(_ text: String, quote: UInt8) -> String {
    if quote == UInt8(ascii: "'") { return text.contains("''") ? text.replacing("''", with: "'") : text }
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "\\", let escape = rest.popFirst() else {
        result.unicodeScalars.append(scalar)
        continue
      }
      switch escape {
      case "n": result += "\n"
      case "t": result += "\t"
      case "r": result += "\r"
      case "u" where rest.count >= 4:
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) { result.unicodeScalars.append(scalar) }
      default: result.unicodeScalars.append(escape)
      }
    }
    return result
  }

  // MARK: Keys

  /// Returns the end of the key that starts at an index, before its colon, or nil if no key starts there.
  func keyEnd(from start: Int, isFlow: Bool = false) -> Int? {
    guard let first = byte(at: start) else { return nil }
    var index = start
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      index += 1
      while let byte = byte(at: index), byte != first, !Self.isLineEnd(byte) {
        index += byte == UInt8(ascii: "\\") && first == UInt8(ascii: "\"") ? 2 : 1
      }
      guard byte(at: index) == first else { return nil }
      index += 1
      let end = index
      while Self.isSpace(byte(at: index)) { index += 1 }
      return byte(at: index) == UInt8(ascii: ":") ? end : nil
    }
    while let byte = byte(at: index), !Self.isLineEnd(byte) {
      if byte == UInt8(ascii: ":") {
        let next = self.byte(at: index + 1)
        if isSeparatorEnd(next, index + 1, isFlow: isFlow) { return trimmedEnd(start, index) }
      }
      if byte == UInt8(ascii: "#"), Self.isSpace(self.byte(at: index - 1)) { return nil }
      if isFlow, ",[]{}".utf8.contains(byte), self.byte(at: index - 1) != UInt8(ascii: "$") { return nil }
      index += 1
    }
    return nil
  }

  private func isSeparatorEnd(_ next: UInt8?, _ index: Int, isFlow: Bool) -> Bool {
    Self.isSpace(next) || Self.isLineEnd(next) || isMark(index) || isJSON || isFlow && ",[]{}".utf8.contains(next ?? 0)
  }

  func trimmedEnd(_ start: Int, _ end: Int) -> Int {
    var end = end
    while end > start, Self.isSpace(bytes[end - 1]) || Self.isLineEnd(bytes[end - 1]) { end -= 1 }
    return end
  }
}
