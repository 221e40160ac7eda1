import Diagnostics
import Documents

/// The rule IDs for all findings, including findings from reading and decoding files.
package enum RuleNames {
  /// The rule IDs for findings from reading a document. A comment cannot suppress these findings, because the document
  /// cannot be parsed.
  package static let reading: Set<String> = [
    "alias-expansion", "comment-in-json", "duplicate-key", "empty-document", "encoding", "json-syntax",
    "outside-project", "plist-syntax", "too-deep", "too-large", "trailing-comma", "unreadable-file", "xcconfig-syntax",
    "xml-syntax", "yaml-syntax",
  ]

  /// The summaries for the rules that check suppressions.
  static let suppressionSummaries = [
    Suppressions.withoutReason: "suppression without a reason",
    Suppressions.unknownRule: "suppression of an unknown rule",
    Suppressions.unused: "suppression without a matching finding",
  ]

  package static let suppression = Set(suppressionSummaries.keys)

  static let all: Set<String> = reading.union(suppression).union(ReadingRule.all.map(\.id))
    .union(RuleSet.all.rules.map(\.id))

  package static func contains(_ id: String) -> Bool { all.contains(id) }

  /// Whether a comment or the configuration can suppress findings of a rule.
  package static func canBeSuppressed(_ id: String) -> Bool {
    all.contains(id) && !reading.contains(id) && !suppression.contains(id)
  }

  private static let sorted = all.sorted()

  static func unknown(_ id: String, at place: FileSpan, _ severity: Diagnostic.Severity = .warning) -> Diagnostic {
    if let current = RenamedRule.current[id] {
      return Diagnostic(
        .error, rule: Suppressions.unknownRule, "`\(id)` is now called `\(current)`",
        help: "replace it with `\(current)`",
        at: place, fix: RenamedKeyword.fix(id, current, at: place))
    }
    return Diagnostic(
      severity, rule: Suppressions.unknownRule, "unknown rule `\(id)`",
      help: Suggestion.nearest(to: id, among: sorted).map { "did you mean `\($0)`?" }
        ?? "run `authflow validate --rules` to list all rules", at: place)
  }
}
