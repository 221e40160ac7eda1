/// Functions that generate Markdown for the reference pages.
enum Markdown {
  static func table(_ heading: [String], _ rows: [[String]]) -> String {
    ([heading, heading.map { _ in "---" }] + rows).map { "| \($0.joined(separator: " | ")) |" }.joined(separator: "\n")
  }

  /// Escapes text for a table cell, except code in backticks.
  static func escaped(_ text: String) -> String {
    var isCode = false
    return text.split(whereSeparator: \.isNewline).joined(separator: " ").reduce(into: "") { escaped, character in
      if character == "`" { isCode.toggle() }
      if character == "|" || !isCode && "\\*_<[".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }

  /// Capitalizes the first letter and adds a period.
  static func sentence(_ text: String) -> String {
    let text = escaped(text.prefix(1).uppercased() + text.dropFirst())
    return text.last.map { ".!?:".contains($0) } == true ? text : text + "."
  }
}
