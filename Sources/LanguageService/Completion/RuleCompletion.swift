import Diagnostics
import Documents
import Validation

/// The IDs of validation rules in `.authflow.yaml` and in comments.
enum RuleCompletion {
  static func candidates(isKey: Bool) -> [Candidate] {
    all.map { id, summary, severity in
      isKey
        ? .key(id, .rule, detail: severity, documentation: Markdown.sentence(summary))
        : .value(id, .rule, detail: severity, documentation: Markdown.sentence(summary))
    }
  }

  private static let all: [(id: String, summary: String, severity: String)] =
    RuleSet.all.rules.map { ($0.id, $0.summary, $0.severity.rawValue) }
    + ReadingRule.all.map { ($0.id, $0.summary, $0.severity.rawValue) }

  /// Returns the rule IDs that can follow `authflow:ignore` in a comment.
  static func items(in comment: CommentContext) -> [CompletionItem] {
    let mark = "authflow:ignore"
    guard let start = comment.prefix.firstRange(of: mark) else {
      let word = String(comment.prefix.drop { $0 == " " })
      guard !word.isEmpty, mark.hasPrefix(word) else { return [] }
      let length = word.utf8.count
      return [
        CompletionItem(
          label: mark, kind: .keyword, detail: "suppress a finding", documentation: nil,
          span: SourceSpan(start: comment.word.end - length, end: comment.word.end), newText: "\(mark) ", snippet: nil,
          filterText: mark, rank: 10, continues: true)
      ]
    }
    // The reason follows the colon after the rule IDs.
    let rest = comment.prefix[start.upperBound...]
    guard rest.hasPrefix(" "), !rest.contains(":") else { return [] }
    return candidates(isKey: false).map { candidate in
      CompletionItem(
        label: candidate.text, kind: .rule, detail: candidate.detail, documentation: candidate.documentation,
        span: comment.word, newText: candidate.text, snippet: nil, filterText: candidate.text, rank: 10)
    }
  }
}
