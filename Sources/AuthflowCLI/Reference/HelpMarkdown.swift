/// Help texts, which are written for a terminal, as Markdown.
package enum HelpMarkdown {
  /// Paragraphs as paragraphs, and examples as blocks for a shell.
  package static func text(_ help: String) -> String {
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains { !$0.isWhitespace } ? line : ""
    }
    return lines.split(separator: "").map { paragraph(Array($0)) }.joined(separator: "\n\n")
  }

  private static func paragraph(_ lines: [Substring]) -> String {
    if lines.count == 1, let example = lines[0].wholeMatch(of: /Example: (.+)/)?.1 {
      return "Example:\n\n" + block(String(example), language: "sh")
    }
    let examples = lines.dropFirst()
    guard !examples.isEmpty, lines[0].hasSuffix(":"), examples.allSatisfy({ $0.hasPrefix("  ") }) else {
      return prose(lines.joined(separator: " "))
    }
    let commands = examples.map { line in
      // A remark in parentheses behind a command is a comment to a shell.
      line.trimmingPrefix(while: \.isWhitespace).replacing(/\ {2,}\((.+)\)$/) { "  # \($0.output.1)" }
    }
    return prose(String(lines[0])) + "\n\n" + block(commands.joined(separator: "\n"), language: "sh")
  }

  static func block(_ code: String, language: String = "") -> String { "```\(language)\n\(code)\n```" }

  /// One paragraph with a period at its end.
  static func sentence(_ help: String) -> String {
    let text = prose(help)
    return text.last.map { ".!?:".contains($0) } == true ? text : text + "."
  }

  /// One paragraph: options become code, and characters that Markdown would interpret are escaped.
  package static func prose(_ help: String) -> String {
    let joined = help.split(whereSeparator: \.isNewline).joined(separator: " ")
    let parts = joined.split(separator: "`", omittingEmptySubsequences: false)
    // An odd number of backticks cannot be code.
    guard parts.count % 2 == 1 else { return escaped(joined) }
    return parts.enumerated().map { index, part in
      index % 2 == 1
        ? "`\(part)`" : part.split(separator: " ", omittingEmptySubsequences: false).map(word).joined(separator: " ")
    }.joined()
  }

  /// A word with its options as code: `--output`, `-v`, or `-` for a standard stream.
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
