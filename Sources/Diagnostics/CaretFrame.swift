/// A diagnostic as people see it: the place, the words, the source line with a caret under the exact range, and what to do.
package struct CaretFrame: Sendable {
  /// Whether escape codes for color are written.
  package var color: Bool
  /// The most columns of a source line that are shown; a longer line is cut around the range.
  package var width: Int

  /// Marks the escape codes for the console's guard: see `TerminalText.sequence(_:seal:)`.
  private let seal: String

  package init(color: Bool, width: Int = 120, seal: String = "") {
    self.color = color
    self.seal = seal
    self.width = max(width, 40)
  }

  package func render(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map(render).joined(separator: "\n")
  }

  package func render(_ diagnostic: Diagnostic) -> String {
    var text = headline(
      diagnostic.place, severity: diagnostic.severity, "\(diagnostic.message) [\(diagnostic.rule)]")
    text += excerpt(diagnostic.place, marker: "^", hidesRange: diagnostic.pointsAtSecret)
    for related in diagnostic.related {
      text += headline(related.place, severity: .note, related.message)
      text += excerpt(related.place, marker: "-")
    }
    if let help = diagnostic.help { text += "  \(paint("help:", .help)) \(Self.visible(help))\n" }
    return text
  }

  /// The source line of a place with carets under its exact range, without words; empty where there is no line to show.
  package func excerpt(at place: FileSpan) -> String { excerpt(place, marker: "^") }

  private func headline(_ place: FileSpan, severity: Diagnostic.Severity, _ words: String) -> String {
    var where_ = Self.visible(place.source.name)
    if place.span != nil {
      let start = place.start
      where_ += ":\(start.line):\(start.column)"
    }
    return "\(paint(where_, .bold)): \(paint("\(severity.rawValue):", .severity(severity))) \(Self.visible(words))\n"
  }

  private func excerpt(_ place: FileSpan, marker: Character, hidesRange: Bool = false) -> String {
    guard let span = place.span, !place.source.isBinary, !place.source.bytes.isEmpty else { return "" }
    // A line of many megabytes is never looked at whole.
    let line = place.source.lineRange(at: span.start, reach: 2 * reach)
    guard !line.isEmpty else { return "" }
    let rangeStart = min(max(span.start, line.lowerBound), line.upperBound)
    let rangeEnd = min(max(span.end, rangeStart), line.upperBound)
    var hiding = SecretRedaction(place.source, line: line)
    if hidesRange { hiding.hide(from: rangeStart) }
    let number = String(place.start.line)
    let gutter = String(repeating: " ", count: number.count)
    let (before, range, after) = cut(
      hiding, line: line, rangeStart: rangeStart, rangeEnd: rangeEnd, room: max(width - number.count - 5, 20))
    let padding = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.of($0)) }.joined()
    let markers = String(repeating: marker, count: max(1, range.reduce(0) { $0 + DisplayWidth.of($1) }))
    return "  \(number) | \(before)\(range)\(after)\n  \(gutter) | \(padding)\(paint(markers, .caret))\n"
  }

  /// Bytes that are looked at to fill the width to either side of the range.
  private var reach: Int { width * 4 }

  /// The line in three parts around the range, each shortened with `…` where they need more columns than there is room.
  private func cut(
    _ source: SecretRedaction, line: Range<Int>, rangeStart: Int, rangeEnd: Int, room: Int
  ) -> (before: String, range: String, after: String) {
    let firstByte = max(line.lowerBound, rangeStart - reach)
    let lastByte = min(line.upperBound, max(rangeEnd, rangeStart) + reach)
    let keptEnd = min(rangeEnd, rangeStart + reach)
    let before = Self.visible(source.text(firstByte, rangeStart), keepingTabs: true)
    let range = Self.visible(source.text(rangeStart, keptEnd), keepingTabs: true)
    let after = keptEnd < rangeEnd ? "…" : Self.visible(source.text(rangeEnd, lastByte), keepingTabs: true)
    let columns = (before: Self.columns(before), range: Self.columns(range), after: Self.columns(after))
    // The range goes first; what it leaves is shared, and who needs less than half leaves the rest to the other.
    let least = before.isEmpty ? 0 : 1
    guard columns.range + least + min(columns.after, 1) <= room else {
      return (before.isEmpty ? "" : "…", Self.head(range, columns: room - least - 1) + "…", "")
    }
    let spare = room - columns.range
    guard columns.before + columns.after > spare else { return (before, range, after) }
    let behind = min(columns.after, max(spare / 2, spare - columns.before))
    let ahead = spare - behind
    return (
      columns.before <= ahead ? before : "…" + Self.tail(before, columns: ahead - 1), range,
      columns.after <= behind ? after : Self.head(after, columns: behind - 1) + "…"
    )
  }

  /// Columns that a text takes at most: how far a tab reaches depends on the terminal.
  private static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

  private static func columns(_ character: Character) -> Int { character == "\t" ? 8 : DisplayWidth.of(character) }

  /// As much of the beginning as has room.
  private static func head(_ text: String, columns room: Int) -> Substring {
    var taken = 0
    return text.prefix { character in
      taken += columns(character)
      return taken <= room
    }
  }

  /// As much of the end as has room.
  private static func tail(_ text: String, columns room: Int) -> String {
    String(head(String(text.reversed()), columns: room).reversed())
  }

  /// `TerminalText.visible(_:keepingTabs:)`.
  package static func visible(_ text: String, keepingTabs: Bool = false) -> String {
    TerminalText.visible(text, keepingTabs: keepingTabs)
  }

  private enum Style {
    case bold, caret, help
    case severity(Diagnostic.Severity)
  }

  private func paint(_ text: String, _ style: Style) -> String {
    guard color else { return text }
    // Yellow, green and cyan are hardly seen on white, blue on black: these are read on both.
    let code =
      switch style {
      case .bold: "1"
      case .caret: "35;1"
      case .help: "1"
      case .severity(.error): "31;1"
      case .severity(.warning): "35;1"
      case .severity(.note): "1"
      }
    return TerminalText.sequence("\(code)m", seal: seal) + text + TerminalText.sequence("0m", seal: seal)
  }
}

/// How many terminal columns a character takes.
package enum DisplayWidth {
  package static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    // The blocks that Unicode's East Asian Width (UAX #11) lists as wide, and emoji.
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
      0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default:
      return 1
    }
  }

  package static func of(_ text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + of($1) }
  }
}
