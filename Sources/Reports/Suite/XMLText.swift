/// Text escaping for XML 1.0. Characters that XML does not allow become visible escape sequences.
enum XMLText {
  /// Escapes text for a double-quoted attribute value.
  static func attribute(_ text: String) -> String { escaped(text, isAttribute: true) }

  static func content(_ text: String) -> String { escaped(text, isAttribute: false) }

  private static func escaped(_ text: String, isAttribute: Bool) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result += "&amp;"
      case 0x3C: result += "&lt;"
      case 0x3E: result += "&gt;"
      case 0x22 where isAttribute: result += "&quot;"
      // XML parsers replace line breaks in attributes with spaces.
      case 0x0A where isAttribute, 0x09 where isAttribute: result += "&#\(scalar.value);"
      case 0x0A, 0x09: result.unicodeScalars.append(scalar)
      // XML 1.0 §2.2 excludes control characters, lone surrogates, and the last two characters of a plane.
      case 0..<0x20:
        result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F..<0xA0: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      case 0xFFFE, 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
