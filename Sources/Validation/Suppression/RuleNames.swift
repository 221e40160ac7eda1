import Diagnostics
import Documents

/// The names under which findings are told: those of the rules, and those of reading and decoding.
package enum RuleNames {
  /// What reading a document may say. It cannot be suppressed inside the document, which was not understood.
  package static let reading: Set<String> = [
    "alias-expansion", "comment-in-json", "duplicate-key", "empty-document", "encoding", "json-syntax",
    "outside-project", "plist-syntax", "too-deep", "too-large", "trailing-comma", "unreadable-file", "xcconfig-syntax",
    "xml-syntax", "yaml-syntax",
  ]

  /// What suppressing may say, in words.
  static let words = [
    Suppressions.withoutReason: "a comment suppresses findings without saying why",
    Suppressions.unknownRule: "a suppression names no rule that there is",
    Suppressions.unused: "a suppression finds nothing to suppress",
  ]

  package static let suppression = Set(words.keys)

  static let all: Set<String> = reading.union(suppression).union(ReadingRule.all.map(\.id))
    .union(RuleSet.all.rules.map(\.id))

  package static func areKnown(_ id: String) -> Bool { all.contains(id) }

  private static let sorted = all.sorted()

  static func unknown(_ id: String, at place: FileSpan, _ severity: Diagnostic.Severity = .warning) -> Diagnostic {
    if let current = RenamedRule.current[id] {
      return Diagnostic(
        .error, rule: Suppressions.unknownRule, "`\(id)` is now called `\(current)`", help: "write `\(current)`",
        at: place, fix: RenamedKeyword.fix(id, current, at: place))
    }
    return Diagnostic(
      severity, rule: Suppressions.unknownRule, "there is no rule \"\(id)\"",
      help: Suggestion.nearest(to: id, among: sorted).map { "did you mean \"\($0)\"?" }
        ?? "`authflow validate --rules` lists them", at: place)
  }
}
