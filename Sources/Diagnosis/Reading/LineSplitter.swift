/// A splitter that divides a stream of bytes into lines. A line ends with LF, CR LF, or CR.
struct LineSplitter {
  /// The maximum number of bytes in a part of a line. A recording can consist of a single line.
  static let maximumLength = 1 << 16

  private var rest: [UInt8] = []
  private var number = 1
  private var offset = 0
  /// Whether the last byte was CR, so that a following LF belongs to the same line break.
  private var endedWithReturn = false

  /// Adds bytes and passes on the complete lines.
  mutating func add(_ bytes: [UInt8], _ body: (Excerpt.Line) -> Void) {
    var start = 0
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        let byte = buffer[index]
        if byte == 0x0A || byte == 0x0D {
          let isSecondHalf = byte == 0x0A && endedWithReturn && index == start && rest.isEmpty && offset == 0
          if !isSecondHalf {
            rest.append(contentsOf: buffer[start..<index])
            emit(endsLine: true, body)
          }
          endedWithReturn = byte == 0x0D
          start = index + 1
        } else {
          if rest.count + index - start >= Self.maximumLength {
            rest.append(contentsOf: buffer[start..<index])
            emit(endsLine: false, body)
            start = index
          }
          if endedWithReturn, index == start { endedWithReturn = false }
        }
        index += 1
      }
      rest.append(contentsOf: buffer[start...])
    }
  }

  /// Passes on the last line if the input does not end with a line break.
  mutating func finish(_ body: (Excerpt.Line) -> Void) {
    if !rest.isEmpty { emit(endsLine: true, body) }
  }

  private mutating func emit(endsLine: Bool, _ body: (Excerpt.Line) -> Void) {
    body(Excerpt.Line(number: number, offset: offset, bytes: EncodedResponse.decoding(rest)))
    offset = endsLine ? 0 : offset + rest.count
    if endsLine { number += 1 }
    rest.removeAll(keepingCapacity: true)
  }
}
