import Diagnostics
import WorkflowModel

/// The names under which findings are told: those of the rules, and those of reading and decoding.
package enum RuleNames {
  /// What reading a document may say. It cannot be suppressed inside the document, which was not understood.
  package static let reading: Set<String> = [
    "alias-expansion", "comment-in-json", "duplicate-key", "empty-document", "encoding", "json-syntax", "plist-syntax",
    "too-deep", "too-large", "trailing-comma", "unreadable-file", "xcconfig-syntax", "xml-syntax", "yaml-syntax",
  ]

  /// What decoding and resolving may say.
  static let decoding: Set<String> = [
    "android-audience-unknown", "android-authority-kind", "bad-duration", "bare-kind", "contradiction", "duplicate-id",
    "empty-value", "graph-path", "happening", "i-regexp", "input-default", "jsonpath", "jsonpath-syntax",
    "key-spelling",
    "manifest-fragment", "matrix-size", "missing-key", "missing-value", "not-a-workflow", "not-info-plist",
    "out-of-range", "prompt-name", "repeated-identity", "template", "together", "two-kinds", "unknown-directory",
    "unknown-key", "unknown-kind", "unknown-name", "unknown-tag", "unknown-value", "unresolved-value",
    "unresolved-variable", "unsafe-redirect", "use-cycle", "use-depth", "use-file", "wrong-header", "wrong-type",
  ]

  /// What suppressing may say.
  package static let suppression: Set<String> = [
    Suppressions.withoutReason, Suppressions.unknownRule, Suppressions.unused,
  ]

  static let all: Set<String> = reading.union(decoding).union(suppression).union(WorkflowChecks.all.map(\.id))
    .union(RuleSet.all.rules.map(\.id))

  package static func areKnown(_ id: String) -> Bool { all.contains(id) }

  static func unknown(_ id: String, at place: Place, _ severity: Diagnostic.Severity = .warning) -> Diagnostic {
    Diagnostic(
      severity, rule: Suppressions.unknownRule, "there is no rule \"\(id)\"",
      help: Suggestion.nearest(to: id, among: all.sorted()).map { "did you mean \"\($0)\"?" }
        ?? "`authflow validate --rules` lists them", at: place)
  }
}
