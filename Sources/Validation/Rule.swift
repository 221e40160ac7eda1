import Diagnostics

/// A check that detects one defect in an app's files.
///
/// The folder `Data/rules/<id>` contains the rule's summary, explanation, and examples.
package protocol Rule: Sendable {
  /// The stable identifier, such as `app-id-placeholder`.
  var id: String { get }
  /// The default severity of the rule's findings. An error means that MSAL or the service rejects the configuration,
  /// and a warning means that sign-in is likely to fail later. A note is informational.
  var severity: Diagnostic.Severity { get }
  /// The additional severities that the rule uses in more or less serious cases.
  var otherSeverities: Set<Diagnostic.Severity> { get }
  /// Checks one file of a project.
  /// - Returns: The findings in that file. Only related locations may be in other files.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic]
}

extension Rule {
  package var otherSeverities: Set<Diagnostic.Severity> { [] }

  /// All severities of the rule's findings, starting with the default, such as `error, warning`.
  package var severityDescription: String {
    ([severity] + otherSeverities.subtracting([severity]).sorted(by: >)).map(\.rawValue).joined(separator: ", ")
  }

  /// A one-line description of the defect, from the heading in the rule's `rule.md`.
  package var summary: String { String(page.prefix { $0 != "\n" }) }

  /// The causes, consequences, and fixes, from the body of the rule's `rule.md`.
  package var explanation: String { String(page.drop { $0 != "\n" }.drop(while: \.isNewline)) }

  /// Files in which the rule finds defects. The marker 1️⃣ is at the start of each finding.
  package var bad: RuleExample { RuleExample(folder: "rules/\(id)/bad/") }

  /// The same files without findings. If the rule has a fix, these files are the result of applying the fix to `bad`.
  package var good: RuleExample { RuleExample(folder: "rules/\(id)/good/") }

  private var page: Substring {
    guard let text = EmbeddedData.text("rules/\(id)/rule.md") else {
      preconditionFailure("missing rules/\(id)/rule.md")
    }
    return text.dropFirst("# ".count).dropLast()
  }

  /// Creates a finding for this rule.
  /// - Parameter severity: The severity of the finding, or nil for the rule's default.
  func finding(
    _ message: String, severity: Diagnostic.Severity? = nil, help: String? = nil, at place: FileSpan,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(severity ?? self.severity, rule: id, message, help: help, at: place, related: related, fix: fix)
  }
}
