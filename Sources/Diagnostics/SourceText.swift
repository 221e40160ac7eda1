import Synchronization

/// One input document as its reader saw it: the UTF-8 bytes, and where its lines begin.
///
/// Byte offsets are kept everywhere; line and column are computed only when something is said about a place.
package final class SourceText: Sendable {
  /// The name people know the document by: a path as they typed it, or `<stdin>`.
  package let name: String
  /// The text in UTF-8, after transcoding; the raw bytes where `isBinary`.
  package let bytes: [UInt8]
  /// Whether the bytes are no text (a binary property list): then a place is a byte offset, shown as line 1.
  package let isBinary: Bool
  /// The number of the first line: above 1 where the bytes are a line from the middle of a file too large to hold.
  package let firstLine: Int
  /// Made when the first place far down in the text is asked for.
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

  /// The line and column (both from 1, columns in Unicode code points) of a byte offset.
  package func location(of offset: Int) -> SourceLocation {
    var location = locationWithin(offset)
    location.line += firstLine - 1
    return location
  }

  private func locationWithin(_ offset: Int) -> SourceLocation {
    let offset = min(max(offset, 0), bytes.count)
    guard !isBinary else { return SourceLocation(line: 1, column: offset + 1, utf16Column: offset + 1) }
    return bytes.withUnsafeBufferPointer { bytes in
      // Most texts are short, and most are never asked.
      guard offset > 4 * LineTable.step else {
        var mark = LineTable.Mark()
        mark.walk(bytes, 0..<offset)
        return mark.location
      }
      let table = table.withLock { table in
        let made = table ?? LineTable(bytes)
        table = made
        return made
      }
      return table.location(of: offset, in: bytes)
    }
  }

  /// The bytes of the line that holds `offset`, without its line end; at most `reach` bytes to either side.
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

  /// The text between two byte offsets, with anything that is no UTF-8 replaced.
  package func text(in span: SourceSpan) -> String {
    String(decoding: bytes[span.range(within: bytes.count)], as: UTF8.self)
  }
}

/// A place as people say it: line and column count from 1.
package struct SourceLocation: Hashable, Sendable, Comparable {
  package var line: Int
  /// In Unicode code points, as compilers count.
  package var column: Int
  /// In UTF-16 code units, as the Language Server Protocol counts by default.
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

  /// The empty span at one offset.
  package static func at(_ offset: Int) -> Self { Self(start: offset, end: offset) }

  func range(within count: Int) -> Range<Int> {
    let start = min(max(self.start, 0), count)
    return start..<min(max(end, start), count)
  }
}
