/// Cuts bytes that come in pieces into lines, without holding more than the line that is under way.
struct LineSplitter {
  /// One line without its end.
  struct Line {
    var number: Int
    var bytes: [UInt8]
    /// Whether a line end followed; the last line of a killed run has none.
    var isWhole: Bool
    /// Whether the line has more bytes than are kept; then `bytes` is its beginning.
    var isTooLong = false
  }

  /// A line above this size is no event: the largest body that a trace keeps is far below.
  private let limit: Int
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var number = 1

  init(limit: Int) { self.limit = limit }

  /// Takes the next piece and hands on every line that ends in it.
  mutating func take(_ piece: some Collection<UInt8>, _ body: (Line) -> Void) {
    var start = piece.startIndex
    while start < piece.endIndex {
      guard let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) else {
        keep(piece[start...])
        return
      }
      keep(piece[start..<end])
      body(take(isWhole: true))
      start = piece.index(after: end)
    }
  }

  /// The line that no line end follows, if there is one.
  mutating func finish() -> Line? { rest.isEmpty && !isTooLong ? nil : take(isWhole: false) }

  private mutating func keep(_ bytes: some Collection<UInt8>) {
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
    // Editors and mail programs of another system write CR before LF.
    if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
    return Line(number: number, bytes: rest, isWhole: isWhole, isTooLong: isTooLong)
  }
}
