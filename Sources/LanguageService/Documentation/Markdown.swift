/// Functions that format text as Markdown.
enum Markdown {
  /// Returns text from a file, with all characters that have a meaning in Markdown escaped.
  static func plain(_ text: String) -> String {
    var escaped = ""
    for character in text.prefix(2_000) {
      if character.isNewline {
        escaped += " "
        continue
      }
      if "\\`*_{}[]<>()#+-.!|~&".contains(character), character != "." && character != "-" || escaped.isEmpty {
        escaped += "\\"
      }
      escaped.append(character)
    }
    return escaped
  }

  /// Returns text from a file as code.
  static func code(_ text: String) -> String {
    let line = String(text.prefix(300).map { $0.isNewline ? " " : $0 })
    guard line.contains("`") else { return "`\(line)`" }
    return "`` \(line.replacing("``", with: "` `")) ``"
  }

  /// Returns one of authflow's descriptions as a sentence. Code in backticks is unchanged.
  static func sentence(_ text: String) -> String {
    var isCode = false
    var escaped = ""
    for character in text.prefix(1).uppercased() + text.dropFirst() {
      if character == "`" { isCode.toggle() }
      if !isCode, "\\*_<[".contains(character) { escaped += "\\" }
      escaped.append(character.isNewline ? " " : character)
    }
    return escaped.last.map { ".!?:".contains($0) } == true ? escaped : escaped + "."
  }

  /// Returns a list of labeled facts.
  static func facts(_ facts: [(label: String, text: String)]) -> String {
    facts.map { "- \($0.label): \($0.text)" }.joined(separator: "\n")
  }
}
