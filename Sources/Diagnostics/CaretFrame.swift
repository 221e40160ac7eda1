/// A renderer that formats diagnostics for a terminal: the location, the message, the source line with carets under the
/// exact range, and the help.
package struct CaretFrame: Sendable {
  /// Whether to write escape codes for color.
  package var color: Bool
  /// The maximum number of columns for a source line. A longer line is shortened around the range.
  package var width: Int

  /// The seal that marks authflow's own escape codes. See `TerminalText.sequence(_:seal:)`.
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
    text += excerpt(diagnostic.place, marker: "^", masksRange: diagnostic.pointsAtSecret)
    for related in diagnostic.related {
      text += headline(related.place, severity: .note, related.message)
      text += excerpt(related.place, marker: "-")
    }
    if let help = diagnostic.help { text += "  \(paint("help:", .help)) \(Self.visible(help))\n" }
    return text
  }

  /// Returns the source line of a location with carets under the exact range, or an empty string if there is no line to
  /// show.
  package func excerpt(at place: FileSpan) -> String { excerpt(place, marker: "^") }

  private func headline(_ place: FileSpan, severity: Diagnostic.Severity, _ message: String) -> String {
    var location = Self.visible(place.source.name)
    if place.span != nil {
      let start = place.start
      location += ":\(start.line):\(start.column)"
    }
    return
      "\(paint(location, .bold)): \(paint("\(severity.rawValue):", .severity(severity))) \(Self.visible(message))\n"
  }

  private func excerpt(_ place: FileSpan, marker: Character, masksRange: Bool = false) -> String {
    guard let span = place.span, !place.source.isBinary, !place.source.bytes.isEmpty else { return "" }
    // The length is limited, because a line can be many megabytes long.
    let line = place.source.lineRange(at: span.start, reach: 2 * reach)
    guard !line.isEmpty else { return "" }
    let rangeStart = min(max(span.start, line.lowerBound), line.upperBound)
    let rangeEnd = min(max(span.end, rangeStart), line.upperBound)
    var redaction = SecretRedaction(place.source, line: line)
    if masksRange { redaction.mask(from: rangeStart) }
    let number = String(place.start.line)
    let gutter = String(repeating: " ", count: number.count)
    let (before, range, after) = cut(
      redaction, line: line, rangeStart: rangeStart, rangeEnd: rangeEnd, available: max(width - number.count - 5, 20))
    let padding = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: DisplayWidth.of($0)) }.joined()
    let markers = String(repeating: marker, count: max(1, range.reduce(0) { $0 + DisplayWidth.of($1) }))
    return "  \(number) | \(before)\(range)\(after)\n  \(gutter) | \(padding)\(paint(markers, .caret))\n"
  }

  /// The number of bytes to read on either side of the range.
  private var reach: Int { width * 4 }

  /// Returns the text before, in, and after the range, with each part shortened with `…` to fit the available columns.
  private func cut(
    _ source: SecretRedaction, line: Range<Int>, rangeStart: Int, rangeEnd: Int, available: Int
  ) -> (before: String, range: String, after: String) {
    let firstByte = max(line.lowerBound, rangeStart - reach)
    let lastByte = min(line.upperBound, max(rangeEnd, rangeStart) + reach)
    let shownEnd = min(rangeEnd, rangeStart + reach)
    let before = Self.visible(source.text(firstByte, rangeStart), keepingTabs: true)
    let range = Self.visible(source.text(rangeStart, shownEnd), keepingTabs: true)
    let after = shownEnd < rangeEnd ? "…" : Self.visible(source.text(rangeEnd, lastByte), keepingTabs: true)
    let columns = (before: Self.columns(before), range: Self.columns(range), after: Self.columns(after))
    // The range has priority. Both sides share the remaining columns. If one side needs less than half, the other side
    // can use the rest.
    let minimumBefore = before.isEmpty ? 0 : 1
    guard columns.range + minimumBefore + min(columns.after, 1) <= available else {
      return (before.isEmpty ? "" : "…", Self.head(range, columns: available - minimumBefore - 1) + "…", "")
    }
    let remaining = available - columns.range
    guard columns.before + columns.after > remaining else { return (before, range, after) }
    let afterWidth = min(columns.after, max(remaining / 2, remaining - columns.before))
    let beforeWidth = remaining - afterWidth
    return (
      columns.before <= beforeWidth ? before : "…" + Self.tail(before, columns: beforeWidth - 1), range,
      columns.after <= afterWidth ? after : Self.head(after, columns: afterWidth - 1) + "…"
    )
  }

  /// Returns the maximum number of columns that the text needs. The width of a tab depends on the terminal.
  private static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

  private static func columns(_ character: Character) -> Int { character == "\t" ? 8 : DisplayWidth.of(character) }

  /// Returns the longest prefix that fits.
  private static func head(_ text: String, columns available: Int) -> Substring {
    var used = 0
    return text.prefix { character in
      used += columns(character)
      return used <= available
    }
  }

  /// Returns the longest suffix that fits.
  private static func tail(_ text: String, columns available: Int) -> String {
    String(head(String(text.reversed()), columns: available).reversed())
  }

  package static func visible(_ text: String, keepingTabs: Bool = false) -> String {
    TerminalText.visible(text, keepingTabs: keepingTabs)
  }

  private enum Style {
    case bold, caret, help
    case severity(Diagnostic.Severity)
  }

  private func paint(_ text: String, _ style: Style) -> String {
    guard color else { return text }
    // Use colors that are readable on white and on black. Yellow, green, and cyan are hard to read on white, and blue
    // is hard to read on black.
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

/// The number of terminal columns that a character occupies.
package enum DisplayWidth {
  package static func of(_ character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    switch scalar.value {
    // The blocks that Unicode's East Asian Width property (UAX #11) lists as wide, and the emoji blocks.
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
