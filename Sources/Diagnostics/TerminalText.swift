/// Functions that escape text from files, claims, servers, and command lines for a terminal or a log.
///
/// Control characters can move the cursor, change colors, or set the clipboard. Bidirectional marks can make source
/// code appear in an order that differs from the compiler's (CVE-2021-42574). This type replaces both with visible
/// escapes.
package enum TerminalText {
  /// Returns the text on one line. Control characters are replaced by their symbols, such as `␛`, and other hidden
  /// characters by escapes, such as `\u{202E}`.
  package static func visible(_ text: String, keepingTabs: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: { isHidden($0) }) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\t", keepingTabs { result.unicodeScalars.append(scalar) } else { append(scalar, to: &result) }
    }
    return result
  }

  /// Returns the text with all hidden characters escaped as in `visible`, except line feeds and tabs.
  ///
  /// A carriage return before a line feed is part of a line ending and is not escaped.
  /// - Parameter seal: The seal that was passed to `sequence(_:seal:)`, or nil. Sequences with this seal are not
  ///   escaped.
  package static func escaped(_ text: String, seal: String? = nil) -> String {
    guard hasHiddenInLines(text) else { return text }
    let prefix = seal.map { Array(sequence("", seal: $0).unicodeScalars) }
    let scalars = Array(text.unicodeScalars)
    var result = ""
    var position = 0
    while position < scalars.count {
      if let prefix, let end = ownSequence(scalars, at: position, prefix) {
        result += sequence("", seal: "")
        result.unicodeScalars.append(contentsOf: scalars[(position + prefix.count)..<end])
        position = end
        continue
      }
      let scalar = scalars[position]
      position += 1
      switch scalar {
      case "\n", "\t": result.unicodeScalars.append(scalar)
      case "\r" where position < scalars.count && scalars[position] == "\n": result.unicodeScalars.append(scalar)
      default: append(scalar, to: &result)
      }
    }
    return result
  }

  /// Returns equivalent JSON text in which all hidden characters are replaced by escapes such as `\u202e`.
  ///
  /// Apart from whitespace, hidden characters occur only in strings, so the escapes are valid.
  package static func escapedJSON(_ text: String) -> String {
    guard hasHiddenInLines(text) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      if isHidden(scalar), scalar != "\n", scalar != "\t", scalar != "\r" {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Returns one of authflow's own control sequences, such as `1m` for bold.
  /// - Parameter seal: A string that no file can predict. `escaped` removes the seal, and escapes sequences without it.
  ///   If the seal is empty, the result is the plain sequence.
  package static func sequence(_ code: String, seal: String) -> String { "\u{1B}[\(seal)\(code)" }

  /// Returns the end of a sealed sequence, which consists of digits and semicolons followed by a letter.
  private static func ownSequence(_ scalars: [Unicode.Scalar], at start: Int, _ prefix: [Unicode.Scalar]) -> Int? {
    guard scalars[start] == prefix[0], scalars[start...].starts(with: prefix) else { return nil }
    let code = scalars[(start + prefix.count)...].prefix { "0"..."9" ~= $0 || $0 == ";" }
    guard code.endIndex < scalars.count, "A"..."Z" ~= scalars[code.endIndex] || "a"..."z" ~= scalars[code.endIndex]
    else { return nil }
    return code.endIndex + 1
  }

  private static func append(_ scalar: Unicode.Scalar, to result: inout String) {
    if scalar.value < 0x20, let symbol = Unicode.Scalar(0x2400 + scalar.value) {
      result.unicodeScalars.append(symbol)
    } else if isHidden(scalar) {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }

  /// Whether the text has hidden characters other than line feeds and tabs.
  private static func hasHiddenInLines(_ text: String) -> Bool {
    // Most text is printable ASCII, for which this loop is much faster.
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x0A || $0 == 0x09 }) { return false }
    return text.unicodeScalars.contains { isHidden($0) && $0 != "\n" && $0 != "\t" }
  }

  /// Whether a character is a control character (C0, DEL, C1), a line or paragraph separator, a bidirectional mark, or
  /// an invisible character. U+200C and U+200D are not hidden, because Persian text and emoji use them.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0xAD, 0x061C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    default: false
    }
  }
}
