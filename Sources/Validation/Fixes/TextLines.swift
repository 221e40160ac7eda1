import Diagnostics
import Documents

/// The lines of a file's text, and the whitespace and comments between its values.
struct TextLines {
  let bytes: [UInt8]
  let syntax: DocumentSyntax

  init(_ document: Document) {
    bytes = document.source.bytes
    syntax = document.syntax
  }

  static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
  static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
  static func isWhite(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }

  func starts(_ text: StaticString, at offset: Int) -> Bool {
    guard offset >= 0, offset + text.utf8CodeUnitCount <= bytes.count else { return false }
    for index in 0..<text.utf8CodeUnitCount where bytes[offset + index] != text.utf8Start[index] { return false }
    return true
  }

  func lineStart(_ offset: Int) -> Int {
    var offset = offset
    while offset > 0, !Self.isLineEnd(bytes[offset - 1]) { offset -= 1 }
    return offset
  }

  func lineEnd(_ offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, !Self.isLineEnd(bytes[offset]) { offset += 1 }
    return offset
  }

  /// Returns the offset after the line break at the given offset.
  func afterLineEnd(_ offset: Int) -> Int {
    if starts("\r\n", at: offset) { return offset + 2 }
    return offset < bytes.count && Self.isLineEnd(bytes[offset]) ? offset + 1 : offset
  }

  /// Returns the offset before the line break that precedes the given offset.
  func beforeLineEnd(_ offset: Int) -> Int {
    if starts("\r\n", at: offset - 2) { return offset - 2 }
    return offset > 0 && Self.isLineEnd(bytes[offset - 1]) ? offset - 1 : offset
  }

  func skipBlanks(_ offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, Self.isBlank(bytes[offset]) { offset += 1 }
    return offset
  }

  func skipBlanksBack(_ offset: Int) -> Int {
    var offset = offset
    while offset > 0, Self.isBlank(bytes[offset - 1]) { offset -= 1 }
    return offset
  }

  /// Returns whether only spaces precede the offset on its line.
  func isFirstOnLine(_ offset: Int) -> Bool { skipBlanksBack(offset) == lineStart(offset) }

  /// Returns the indentation of the line that contains the offset.
  func indentation(at offset: Int) -> String {
    let start = lineStart(offset)
    return text(start..<min(skipBlanks(start), max(offset, start)))
  }

  /// Returns whitespace as wide as the text before the offset on its line.
  func column(of offset: Int) -> String {
    text(lineStart(offset)..<offset).map { $0 == "\t" ? "\t" : " " }.joined()
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  func isWhite(_ range: Range<Int>) -> Bool { bytes[range].allSatisfy(Self.isWhite) }

  /// Returns the end of the comment that starts at an offset between values, or nil if no comment starts there.
  func commentEnd(_ offset: Int) -> Int? {
    func end(_ mark: StaticString, from start: Int) -> Int {
      var index = start
      while index < bytes.count, !starts(mark, at: index) { index += 1 }
      return min(index + mark.utf8CodeUnitCount, bytes.count)
    }
    guard offset < bytes.count else { return nil }
    switch syntax {
    case .json, .openStepPropertyList:
      if starts("//", at: offset) { return lineEnd(offset) }
      return starts("/*", at: offset) ? end("*/", from: offset + 2) : nil
    case .yaml:
      guard bytes[offset] == UInt8(ascii: "#"), offset == 0 || Self.isWhite(bytes[offset - 1]) else { return nil }
      return lineEnd(offset)
    case .xmlPropertyList: return starts("<!--", at: offset) ? end("-->", from: offset + 4) : nil
    case .binaryPropertyList: return nil
    }
  }

  /// Skips spaces and comments that end on the same line.
  func skipComments(_ offset: Int) -> Int {
    var position = offset
    var reached = offset
    while true {
      position = skipBlanks(position)
      guard let end = commentEnd(position), end <= lineEnd(position) else { return reached }
      position = end
      reached = end
    }
  }

  /// Returns the first offset that is outside whitespace and comments.
  func skipAll(_ offset: Int, to limit: Int) -> Int {
    var offset = offset
    while offset < limit {
      if Self.isWhite(bytes[offset]) {
        offset += 1
      } else if let end = commentEnd(offset) {
        offset = end
      } else {
        return offset
      }
    }
    return min(offset, limit)
  }

  /// Returns the start of the first comment that is on its own line, or nil if there is no such comment.
  func ownLineComment(in range: Range<Int>) -> Int? {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if let end = commentEnd(offset) {
        if isFirstOnLine(offset) { return offset }
        offset = end
      } else {
        offset += 1
      }
    }
    return nil
  }
}
