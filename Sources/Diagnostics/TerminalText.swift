/// Text from files, claims, servers, and command lines as a terminal or a log can show it.
///
/// A control character moves the cursor, changes colors, or sets the clipboard. A bidirectional mark shows source code in
/// another order than a compiler reads it (CVE-2021-42574). This type shows both as visible escapes.
package enum TerminalText {
  /// The text on one line: control characters as their symbols (`␛`), other hidden characters as `\u{202E}`.
  package static func visible(_ text: String, keepingTabs: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) }) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if scalar == "\t", keepingTabs { shown.unicodeScalars.append(scalar) } else { append(scalar, to: &shown) }
    }
    return shown
  }

  /// The text with its lines and tabs, and with every other hidden character escaped as in `visible`.
  ///
  /// A carriage return before a line feed stays: together they are a line ending.
  /// - Parameter seal: marks the sequences of `sequence(_:seal:)`, which stay; nil if the text has none.
  package static func escaped(_ text: String, seal: String? = nil) -> String {
    guard hasHiddenInLines(text) else { return text }
    let prefix = seal.map { Array(sequence("", seal: $0).unicodeScalars) }
    let scalars = Array(text.unicodeScalars)
    var shown = ""
    var position = 0
    while position < scalars.count {
      if let prefix, let end = ownSequence(scalars, at: position, prefix) {
        shown += sequence("", seal: "")
        shown.unicodeScalars.append(contentsOf: scalars[(position + prefix.count)..<end])
        position = end
        continue
      }
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "\n", "\t": shown.unicodeScalars.append(scalar)
      case "\r" where position < scalars.count && scalars[position] == "\n": shown.unicodeScalars.append(scalar)
      default: append(scalar, to: &shown)
      }
    }
    return shown
  }

  /// JSON text of the same meaning without hidden characters: each becomes `\u202e`.
  ///
  /// Hidden characters other than white space occur in strings only, so the escape is valid.
  package static func escapedJSON(_ text: String) -> String {
    guard hasHiddenInLines(text) else { return text }
    var shown = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar), scalar != "\n", scalar != "\t", scalar != "\r" {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          shown += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }

  /// A control sequence of authflow itself, such as `1m` for bold.
  /// - Parameter seal: a text that no file can predict. `escaped` removes it, and escapes sequences without it.
  ///   An empty seal gives the plain sequence.
  package static func sequence(_ code: String, seal: String) -> String { "\u{1B}[\(seal)\(code)" }

  /// The end of a sealed sequence: digits and semicolons, then a letter.
  private static func ownSequence(_ scalars: [Unicode.Scalar], at start: Int, _ prefix: [Unicode.Scalar]) -> Int? {
    guard scalars[start] == prefix[0], scalars[start...].starts(with: prefix) else { return nil }
    let code = scalars[(start + prefix.count)...].prefix { "0"..."9" ~= $0 || $0 == ";" }
    guard code.endIndex < scalars.count, "A"..."Z" ~= scalars[code.endIndex] || "a"..."z" ~= scalars[code.endIndex]
    else { return nil }
    return code.endIndex + 1
  }

  private static func append(_ scalar: Unicode.Scalar, to shown: inout String) {
    if scalar.value < 0x20, let symbol = Unicode.Scalar(0x2400 + scalar.value) {
      shown.unicodeScalars.append(symbol)
    } else if isHidden(scalar) {
      shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    } else {
      shown.unicodeScalars.append(scalar)
    }
  }

  /// Whether the text has hidden characters besides line feeds and tabs.
  private static func hasHiddenInLines(_ text: String) -> Bool {
    // Most text is printable ASCII, and this loop is much faster.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return false }
    return text.unicodeScalars.contains { isHidden($0) && $0 != "\n" && $0 != "\t" }
  }

  /// Control characters (C0, DEL, C1), line and paragraph separators, bidirectional marks, and invisible characters
  /// that scripts do not need: U+200C and U+200D stay, because Persian text and emoji use them.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
