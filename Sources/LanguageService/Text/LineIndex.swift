import Diagnostics

/// The unit of columns in positions, as negotiated with a client (LSP 3.17, `positionEncoding`).
package enum PositionEncoding: String, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// Returns the number of units of a character, given the first byte of its UTF-8 sequence.
  fileprivate func units(of first: UInt8) -> Int {
    switch self {
    case .utf8: first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    case .utf16: first < 0xF0 ? 1 : 2
    case .utf32: 1
    }
  }
}

/// A position in text. Lines and columns start at 0.
package struct TextPosition: Hashable, Sendable, Comparable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static func < (lhs: Self, rhs: Self) -> Bool { (lhs.line, lhs.column) < (rhs.line, rhs.column) }
}

/// An index of the lines in a text. A line ends with `\n`, `\r\n`, or `\r`.
package struct LineIndex: Sendable {
  private let bytes: [UInt8]
  /// The offset of each line's first byte.
  private let starts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        let endsLine =
          byte == UInt8(ascii: "\n")
          || byte == UInt8(ascii: "\r") && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"))
        if endsLine { starts.append(index + 1) }
      }
    }
    self.starts = starts
  }

  /// The number of lines, which is at least 1.
  package var count: Int { starts.count }

  /// Returns the line that contains an offset. Lines start at 0.
  package func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  /// Returns the range of a line without its line ending. A line after the last line has an empty range.
  package func range(ofLine line: Int) -> Range<Int> {
    guard starts.indices.contains(line) else { return bytes.count..<bytes.count }
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == UInt8(ascii: "\n") || bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  /// Returns the text of a line without its line ending.
  package func text(ofLine line: Int) -> String { String(decoding: bytes[range(ofLine: line)], as: UTF8.self) }

  /// Returns the offset of a line's first byte.
  package func start(ofLine line: Int) -> Int { range(ofLine: line).lowerBound }

  /// Returns the byte offset of a position. A column after the end of the line refers to the end of the line, and a
  /// line after the last line refers to the end of the text (LSP 3.17, `Position`).
  package func offset(of position: TextPosition, _ encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    let range = range(ofLine: position.line)
    var column = 0
    var offset = range.lowerBound
    while offset < range.upperBound, column < position.column {
      let units = encoding.units(of: bytes[offset])
      // A position inside a surrogate pair or a UTF-8 sequence refers to the start of the character.
      guard column + units <= position.column else { break }
      column += units
      offset += 1
      while offset < range.upperBound, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
    }
    return offset
  }

  /// Returns the position of a byte offset.
  package func position(of offset: Int, _ encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = line(at: offset)
    var column = 0
    for index in starts[line]..<offset where bytes[index] & 0xC0 != 0x80 { column += encoding.units(of: bytes[index]) }
    return TextPosition(line: line, column: column)
  }
}
