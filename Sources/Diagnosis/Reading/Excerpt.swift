/// Consecutive lines of an input.
struct Excerpt: Sendable {
  /// A line, or a part of a very long line.
  struct Line: Sendable {
    /// The one-based line number in the input.
    var number: Int
    /// The byte offset of the part in the line.
    var offset: Int
    var bytes: [UInt8]
  }

  /// The name of the input.
  var source: String
  var lines: [Line]

  /// The lines, separated by line feeds.
  var bytes: [UInt8] { Array(lines.map(\.bytes).joined(separator: [0x0A])) }

  /// Returns the index of the line that contains an offset of `bytes`, and the offset in this line.
  func position(of offset: Int) -> (line: Int, offset: Int) {
    var rest = offset
    for (index, line) in lines.enumerated() {
      if rest <= line.bytes.count { return (index, rest) }
      rest -= line.bytes.count + 1
    }
    return (max(0, lines.count - 1), lines.last?.bytes.count ?? 0)
  }
}
