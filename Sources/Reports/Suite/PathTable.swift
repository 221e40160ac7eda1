import Diagnostics

/// A table of two paths side by side, such as the expected and the actual path. The first difference is marked.
struct PathTable: Sendable {
  let style: TerminalStyle
  var left = "expected"
  var right = "actual"

  /// The total width of the number, the symbol, and the gaps between the columns.
  private static let margin = 2 + 3 + 2 + 3

  func render(_ comparison: PathComparison) -> String {
    let rows = comparison.rows
    let first = comparison.firstDifference
    let room = max(20, style.width - Self.margin)
    let widest = rows.map { DisplayWidth.of($0.expected ?? "") }.max() ?? 0
    let column = min(max(widest, left.count), room / 2)
    let other = room - column
    var text = line("", Self.pad(left, column), " ", right, .dim)
    for (number, row) in rows.enumerated() {
      let expected = Self.split(row.expected ?? missing(row, isExpected: true), column)
      let actual = Self.split(row.actual ?? missing(row, isExpected: false), other)
      for index in 0..<max(expected.count, actual.count) {
        text += line(
          index == 0 ? row.index.map { String($0 + 1) } ?? "" : "",
          Self.pad(index < expected.count ? expected[index] : "", column),
          index == 0 ? sign(row.kind, isFirst: number == first) : " ", index < actual.count ? actual[index] : "",
          tone(row.kind, isFirst: number == first))
      }
    }
    return text
  }

  private func line(
    _ number: String, _ left: String, _ sign: String, _ right: String, _ tone: TerminalStyle.Tone
  ) -> String {
    let number = String(repeating: " ", count: max(0, 3 - number.count)) + number
    var words = "\(left) \(sign) \(right)"
    while words.last == " " { words.removeLast() }
    return "  \(style.paint(number, .dim))  \(style.paint(words, tone))\n"
  }

  private func sign(_ kind: PathComparison.Kind, isFirst: Bool) -> String {
    switch kind {
    case .same, .anything: " "
    default: isFirst ? style.unicode ? "▶" : ">" : style.unicode ? "≠" : "!"
    }
  }

  private func tone(_ kind: PathComparison.Kind, isFirst: Bool) -> TerminalStyle.Tone {
    switch kind {
    case .same: .plain
    case .anything: .dim
    default: isFirst ? .bad : .attention
    }
  }

  private func missing(_ row: PathComparison.Row, isExpected: Bool) -> String {
    switch row.kind {
    case .missing where !isExpected, .extra where isExpected: "(nothing)"
    default: ""
    }
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
  }

  /// Splits an entry into parts that fit the width, preferably after a dot.
  static func split(_ entry: String, _ width: Int) -> [String] {
    var rest = CaretFrame.visible(entry)[...]
    var pieces: [String] = []
    while DisplayWidth.of(rest) > width {
      var used = 0
      let most = rest.prefix { character in
        used += DisplayWidth.of(character)
        return used <= width
      }
      var piece = most.isEmpty ? rest.prefix(1) : most
      if let dot = piece.lastIndex(of: "."), dot > piece.startIndex { piece = piece[...dot] }
      pieces.append(String(piece))
      rest = rest[piece.endIndex...]
    }
    pieces.append(String(rest))
    return pieces
  }
}
