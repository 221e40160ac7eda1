/// The line and column at regular intervals in a document, for finding locations in long documents quickly.
struct LineTable: Sendable {
  /// The number of bytes between marks. The marks use less than 1% of the memory that the text uses.
  static let step = 2048

  /// The line and column after a number of bytes.
  struct Mark: Sendable {
    var line: UInt32 = 1
    var column: UInt32 = 1
    var utf16Column: UInt32 = 1

    /// Advances past the bytes of `range`, which starts at the current position.
    mutating func advance(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
      for index in range {
        let byte = bytes[index]
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !Self.isLineFeed(bytes, index + 1) {
          line &+= 1
          column = 1
          utf16Column = 1
        } else if byte & 0xC0 != 0x80 {
          column &+= 1
          utf16Column &+= byte >= 0xF0 ? 2 : 1
        }
      }
    }

    private static func isLineFeed(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
      index < bytes.count && bytes[index] == UInt8(ascii: "\n")
    }

    var location: SourceLocation {
      SourceLocation(line: Int(line), column: Int(column), utf16Column: Int(utf16Column))
    }
  }

  private(set) var marks: [Mark] = []

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    marks.reserveCapacity(bytes.count / Self.step + 1)
    var mark = Mark()
    marks.append(mark)
    var position = 0
    while position + Self.step <= bytes.count {
      mark.advance(bytes, position..<position + Self.step)
      marks.append(mark)
      position += Self.step
    }
  }

  func location(of offset: Int, in bytes: UnsafeBufferPointer<UInt8>) -> SourceLocation {
    let nearest = min(offset / Self.step, marks.count - 1)
    var mark = marks[nearest]
    mark.advance(bytes, nearest * Self.step..<offset)
    return mark.location
  }
}
