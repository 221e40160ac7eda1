/// Converts terminal help text to Markdown.
package enum HelpMarkdown {
  /// Converts text with several paragraphs. Examples become shell code blocks.
  package static func text(_ help: String) -> String {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains { !$0.isWhitespace } ? line : ""
    }
    return lines.split(separator: "").map { paragraph(Array($0)) }.joined(separator: "\n\n")
  }

  private static func paragraph(_ lines: [Substring]) -> String {
    let examples = lines.dropFirst()
    guard !examples.isEmpty, lines[0].hasSuffix(":"), examples.allSatisfy({ $0.hasPrefix("  ") }) else {
      return prose(lines.joined(separator: " "))
    }
    let commands = examples.map { $0.trimmingPrefix(while: \.isWhitespace) }
    return prose(String(lines[0])) + "\n\n" + block(commands.joined(separator: "\n"), language: "sh")
  }

  static func block(_ code: String, language: String = "") -> String { "```\(language)\n\(code)\n```" }

  /// Converts one paragraph and adds a final period if it is missing.
  static func sentence(_ help: String) -> String {
    let text = prose(help)
    return text.last.map { ".!?:".contains($0) } == true ? text : text + "."
  }

  /// Converts one paragraph: formats options as code, and escapes Markdown characters.
  package static func prose(_ help: String) -> String {
    let joined = help.split(whereSeparator: \.isNewline).joined(separator: " ")
    let parts = joined.split(separator: "`", omittingEmptySubsequences: false)
    // If the number of backticks is odd, they do not delimit code spans.
    guard parts.count % 2 == 1 else { return escaped(joined) }
    return parts.enumerated().map { index, part in
      index % 2 == 1
        ? "`\(part)`" : part.split(separator: " ", omittingEmptySubsequences: false).map(word).joined(separator: " ")
    }.joined()
  }

  /// Formats a word as code if it is an option, such as `--output`, or the name `-` of a standard stream.
  private static func word(_ word: Substring) -> String {
    let option = /([("]*)(--?[A-Za-z][-\w=\/\[\]]*|-|--)([)",.;:…?!]*)/
    guard let match = word.wholeMatch(of: option) else { return escaped(word) }
    return escaped(match.1) + "`\(match.2)`" + escaped(match.3)
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    text.reduce(into: "") { escaped, character in
      if "\\`*_<>[]|~&#@".contains(character) { escaped.append("\\") }
      escaped.append(character)
    }
  }
}
