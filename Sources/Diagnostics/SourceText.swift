import Synchronization

/// The text of one input document: its UTF-8 bytes and its lines.
///
/// Locations are byte offsets. Line and column are computed when a diagnostic needs them.
package final class SourceText: Sendable {
  /// The document name shown to users: a path as the user typed it, or `<stdin>`.
  package let name: String
  /// The text in UTF-8 after transcoding, or the raw bytes if `isBinary` is true.
  package let bytes: [UInt8]
  /// Whether the bytes are not text, as in a binary property list. A location is then a byte offset, shown as a column
  /// of line 1.
  package let isBinary: Bool
  /// The number of the first line. It is greater than 1 if the bytes are part of a large file.
  package let firstLine: Int
  /// The line table, which is created for the first location that is far from the start of the text.
  private let table = Mutex<LineTable?>(nil)

  package init(name: String, bytes: [UInt8], isBinary: Bool = false, firstLine: Int = 1) {
    self.name = name
    self.bytes = bytes
    self.isBinary = isBinary
    self.firstLine = firstLine
  }

  package convenience init(name: String, text: String) {
    self.init(name: name, bytes: Array(text.utf8))
  }

  /// Returns the line and column of a byte offset. Both start at 1, and columns count Unicode code points.
  package func location(of offset: Int) -> SourceLocation {
    var location = locationWithin(offset)
    location.line += firstLine - 1
    return location
  }

  private func locationWithin(_ offset: Int) -> SourceLocation {
    let offset = min(max(offset, 0), bytes.count)
    guard !isBinary else { return SourceLocation(line: 1, column: offset + 1, utf16Column: offset + 1) }
    return bytes.withUnsafeBufferPointer { bytes in
      // Most documents are short, and most have no diagnostics.
      guard offset > 4 * LineTable.step else {
        var mark = LineTable.Mark()
        mark.advance(bytes, 0..<offset)
        return mark.location
      }
      let table = table.withLock { table in
        let lineTable = table ?? LineTable(bytes)
        table = lineTable
        return lineTable
      }
      return table.location(of: offset, in: bytes)
    }
  }

  /// Returns the range of the line that contains `offset`, without the line ending. The range extends at most `reach`
  /// bytes to either side.
  package func lineRange(at offset: Int, reach: Int = .max) -> Range<Int> {
    let offset = min(max(offset, 0), bytes.count)
    let first = max(0, offset - min(reach, offset))
    let last = offset + min(reach, bytes.count - offset)
    var start = offset
    while start > first, bytes[start - 1] != UInt8(ascii: "\n"), bytes[start - 1] != UInt8(ascii: "\r") { start -= 1 }
    var end = offset
    while end < last, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
    return start..<end
  }

  /// Returns the text of a span, with invalid UTF-8 replaced.
  package func text(in span: SourceSpan) -> String {
    String(decoding: bytes[span.range(within: bytes.count)], as: UTF8.self)
  }
}

/// A location as line and column, both starting at 1.
package struct SourceLocation: Hashable, Sendable, Comparable {
  package var line: Int
  /// The column in Unicode code points, as in compiler messages.
  package var column: Int
  /// The column in UTF-16 code units, the default in the Language Server Protocol.
  package var utf16Column: Int

  package init(line: Int, column: Int, utf16Column: Int) {
    self.line = line
    self.column = column
    self.utf16Column = utf16Column
  }

  package static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}

/// A half-open range of byte offsets in one `SourceText`.
package struct SourceSpan: Hashable, Sendable {
  package var start: Int
  package var end: Int

  package init(start: Int, end: Int) {
    self.start = start
    self.end = max(start, end)
  }

  /// Returns the empty span at an offset.
  package static func at(_ offset: Int) -> Self { Self(start: offset, end: offset) }

  func range(within count: Int) -> Range<Int> {
    let start = min(max(self.start, 0), count)
    return start..<min(max(end, start), count)
  }
}
