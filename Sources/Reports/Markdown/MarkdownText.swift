/// Markdown escaping that prevents text from creating markup, links, or mentions.
enum MarkdownText {
  /// Escapes text for a single line, such as a heading, a table cell, or a list item. Line breaks become spaces.
  static func line(_ text: String) -> String {
    var result = ""
    var previous: Unicode.Scalar?
    let scalars = Array(XMLText.content(text).unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let next = index + 1 < scalars.count ? scalars[index + 1] : nil
      switch scalar {
      case "\n", "\r", "\t", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": result += " "
      case "|", "`", "*", "_", "[", "]", "\\", "~": result += "\\\(scalar)"
      default:
        // A directional formatting character could hide other text.
        result += isHidden(scalar) ? "\\\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
      }
      // GitHub and GitLab create links from these strings even if they are escaped. A comment between the characters
      // prevents this.
      if calls(scalar, previous, next) { result += "<!-- -->" }
      previous = scalar
    }
    return result.isEmpty ? " " : result
  }

  /// Escapes text for a code fence with three backticks.
  static func fenced(_ text: String) -> String { text.replacing("```", with: "` ` `") }

  /// Returns whether the character starts a link such as `@name`, `#12`, `!12`, `$12`, `%name`, `&12`, `GH-12`,
  /// `http://…`, or `www.…`.
  private static func calls(_ scalar: Unicode.Scalar, _ previous: Unicode.Scalar?, _ next: Unicode.Scalar?) -> Bool {
    guard let next else { return false }
    switch scalar {
    case "@", "#", "!", "$", "%", "~": return isWord(next) || next == "\""
    // This is the `;` in `&amp;`.
    case ";": return previous == "p" && isDigit(next)
    case "-": return isDigit(next) && (previous == "H" || previous == "h")
    case ":": return next == "/"
    case ".": return (previous == "w" || previous == "W") && isWord(next)
    default: return false
    }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || isDigit(scalar) || scalar == "_" || scalar == "-"
  }

  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .format && scalar != "\u{200D}"
  }
}
