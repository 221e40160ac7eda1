/// A splitter that divides a stream of bytes into lines and stores only the current line.
struct LineSplitter {
  /// A line, without its line break.
  struct Line {
    var number: Int
    var bytes: [UInt8]
    /// Whether the line ends with a line break. If a run was killed, the last line can end without a line break.
    var isWhole: Bool
    /// Whether the line is longer than the limit. If it is, `bytes` contains only the start of the line.
    var isTooLong = false
  }

  /// The maximum size of a line. The largest body in a trace is much smaller.
  private let limit: Int
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var number = 1

  init(limit: Int) { self.limit = limit }

  /// Adds bytes and calls `body` for each complete line.
  mutating func take(_ piece: some Collection<UInt8>, _ body: (Line) -> Void) {
    var start = piece.startIndex
    while start < piece.endIndex {
      guard let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        append(piece[start...])
        return
      }
      append(piece[start..<end])
      body(take(isWhole: true))
      start = piece.index(after: end)
    }
  }

  /// Returns the last line if it does not end with a line break.
  mutating func finish() -> Line? { rest.isEmpty && !isTooLong ? nil : take(isWhole: false) }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    let room = limit - rest.count
    if bytes.count > room { isTooLong = true }
    rest.append(contentsOf: bytes.prefix(room))
  }

  private mutating func take(isWhole: Bool) -> Line {
    defer {
      rest.removeAll(keepingCapacity: rest.capacity < 1 << 20)
      isTooLong = false
      number += 1
    }
    // Editors on Windows can write CR before LF.
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    return Line(number: number, bytes: rest, isWhole: isWhole, isTooLong: isTooLong)
  }
}
