import Diagnostics

/// The terminal's capabilities.
package struct TerminalStyle: Sendable {
  package var color: Bool
  /// Whether the terminal can show non-ASCII characters. The output never relies on symbols alone.
  package var unicode: Bool
  /// The width in columns. Text wraps at this width.
  package var width: Int
  /// A marker that identifies authflow's own control sequences. See `TerminalText.sequence(_:seal:)`.
  package let seal: String

  package init(color: Bool, unicode: Bool, width: Int, seal: String = "") {
    self.color = color
    self.unicode = unicode
    self.seal = seal
    self.width = max(40, width)
  }

  package enum Tone: Sendable {
    case good, bad, dim, strong, plain, attention
  }

  package func paint(_ text: String, _ tone: Tone) -> String {
    guard color, !text.isEmpty else { return text }
    // Yellow and cyan are hard to see on white, and blue is hard to see on black. Green is used only for symbols next
    // to words.
    let code: String
    switch tone {
    case .good: code = "32"
    case .bad: code = "31;1"
    case .attention: code = "35"
    case .dim: code = "2"
    case .strong: code = "1"
    case .plain: return text
    }
    return sequence("\(code)m") + text + sequence("0m")
  }

  /// Returns one of authflow's own control sequences, such as `1m` for bold.
  package func sequence(_ code: String) -> String { TerminalText.sequence(code, seal: seal) }

  /// Converts the text to characters that this terminal can show. If the terminal does not support UTF-8, symbols
  /// become ASCII text, and all other non-ASCII characters become escape sequences.
  package func shown(_ text: String) -> String {
    guard !unicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if scalar.isASCII {
        shown.unicodeScalars.append(scalar)
      } else {
        shown += Self.ascii[scalar] ?? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
  }

  private static let ascii: [Unicode.Scalar: String] = [
    "→": "->", "…": "...", "·": "-", "‹": "<", "›": ">", "“": "\"", "”": "\"", "‘": "'", "’": "'", "–": "-", "—": "-",
    "×": "x", "\u{A0}": " ",
  ]

  /// Wraps text that is indented by `indent` columns. Continuation lines are indented by `hanging` additional columns.
  /// - Parameter breaking: Whether the text may wrap. False for text that users copy, such as a command line, which
  ///   must stay on one line.
  package func wrap(
    _ text: String, indent: Int, hanging: Int = 0, tone: Tone = .plain, breaking: Bool = true
  ) -> String {
    let clean = CaretFrame.visible(text)
    guard breaking else { return String(repeating: " ", count: indent) + paint(clean, tone) + "\n" }
    var lines: [String] = []
    var line = ""
    var room = width - indent
    for word in clean.split(separator: " ", omittingEmptySubsequences: false) {
      let needed = DisplayWidth.of(word) + (line.isEmpty ? 0 : 1)
      if !line.isEmpty, DisplayWidth.of(line) + needed > room {
        lines.append(line)
        line = String(word)
        room = width - indent - hanging
      } else {
        line += (line.isEmpty ? "" : " ") + word
      }
    }
    lines.append(line)
    return lines.enumerated().map { index, line in
      String(repeating: " ", count: indent + (index == 0 ? 0 : hanging)) + paint(line, tone) + "\n"
    }.joined()
  }
}
