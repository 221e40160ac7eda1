import Diagnostics

/// A check for one defect in an app's files.
///
/// `Data/rules/<id>` contains the summary, the explanation, and the examples of a rule.
package protocol Rule: Sendable {
  /// The stable identifier, such as `app-id-placeholder`.
  var id: String { get }
  /// The default severity of findings: an error if MSAL or the service rejects the configuration, a warning if it is
  /// likely to fail later, a note for information.
  var severity: Diagnostic.Severity { get }
  /// Severities of findings in more or less serious cases, in addition to `severity`.
  var otherSeverities: Set<Diagnostic.Severity> { get }
  /// Checks one file of a project.
  /// - Returns: Findings in that file. Only their related places may be in other files.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic]
}

extension Rule {
  package var otherSeverities: Set<Diagnostic.Severity> { [] }

  /// All severities of findings, the default severity first: `error, warning`.
  package var severityDescription: String {
    ([severity] + otherSeverities.subtracting([severity]).sorted(by: >)).map(\.rawValue).joined(separator: ", ")
  }

  /// The defect in one line: the heading of the rule's `rule.md`.
  package var summary: String { String(page.prefix { $0 != "\n" }) }

  /// Causes, consequences, and fixes: the body of the rule's `rule.md`.
  package var explanation: String { String(page.drop { $0 != "\n" }.drop(while: \.isNewline)) }

  /// Files with findings; 1️⃣ marks the start of each finding.
  package var bad: RuleExample { RuleExample(folder: "rules/\(id)/bad/") }

  /// The same files without findings; if the rule has a fix, the result of applying it to `bad`.
  package var good: RuleExample { RuleExample(folder: "rules/\(id)/good/") }

  private var page: Substring {
    guard let text = EmbeddedData.text("rules/\(id)/rule.md") else {
      preconditionFailure("missing rules/\(id)/rule.md")
    }
    return text.dropFirst("# ".count).dropLast()
  }

  /// Creates a finding of this rule.
  /// - Parameter severity: The severity of the finding, or nil for the rule's default.
  func finding(
    _ message: String, severity: Diagnostic.Severity? = nil, help: String? = nil, at place: FileSpan,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(severity ?? self.severity, rule: id, message, help: help, at: place, related: related, fix: fix)
  }
}
