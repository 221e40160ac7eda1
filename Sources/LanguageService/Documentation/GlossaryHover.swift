import Diagnostics
import Handbook
import IdentityPlatform
import Validation

/// The descriptions that `authflow explain` prints.
enum GlossaryHover {
  private static let maximumFacts = 8

  /// Returns the description of a code or a name, or nil if the glossary does not contain it.
  static func markdown(of text: String) -> String? {
    guard text.utf8.count <= 200 else { return nil }
    switch Glossary.lookUp(text) {
    case .known(let entries): return entries.first.map(markdown)
    case .unlisted(let code): return code.words.map(Markdown.sentence).joined(separator: " ")
    case .unknown: return nil
    }
  }

  /// Returns the MSAL calls that a step type corresponds to.
  static func calls(ofStep key: String) -> [String] {
    let entry = Glossary.whole.named(key).first { $0.topic == .stepKind }
    return (entry?.facts ?? []).filter { $0.label == "MSAL call" }.map(\.text)
  }

  static func markdown(of entry: GlossaryEntry) -> String {
    var parts = ["**\(Markdown.plain(entry.name))** (\(entry.topic.title))", Markdown.sentence(entry.verdictLine)]
    let details = [entry.furtherMeaning, entry.cause, entry.reaction.map { "MSAL: \($0)" }].compactMap { $0 }
    parts += details.map(Markdown.sentence)
    if !entry.facts.isEmpty {
      parts.append(
        Markdown.facts(entry.facts.prefix(maximumFacts).map { ($0.label, Markdown.sentence($0.text)) }))
    }
    parts.append(Markdown.sentence(entry.advice))
    return parts.joined(separator: "\n\n")
  }
}

/// The descriptions of validation rules.
enum RuleHover {
  static func markdown(of id: String) -> String? {
    if let rule = RuleSet.all.rule(id) {
      let explanation = rule.explanation.split(whereSeparator: \.isNewline).joined(separator: " ")
      var markdown = "**\(id)** (\(rule.severityDescription))\n\n\(Markdown.sentence(rule.summary))\n\n"
      markdown += Markdown.sentence(explanation)
      if let address = RulePage.address(of: id) { markdown += "\n\n[Documentation](\(address))" }
      return markdown
    }
    return ReadingRule.named(id).map { "**\(id)** (\($0.severity.rawValue))\n\n\(Markdown.sentence($0.summary))" }
  }

  /// Returns the description of the rule at the cursor in a suppression comment.
  static func hover(in comment: CommentContext, _ source: SourceText) -> Hover? {
    guard comment.prefix.contains("authflow:ignore") || comment.prefix.hasPrefix(" authflow") else { return nil }
    return markdown(of: source.text(in: comment.word)).map { Hover(span: comment.word, markdown: $0) }
  }
}
