import Diagnostics

/// One thing that is looked for in an app's files.
///
/// Its text and its examples are in the folder `Data/rules` under its id.
package protocol Rule: Sendable {
  /// The stable name: `app-id-placeholder`.
  var id: String { get }
  /// How serious a finding is where nobody says otherwise: an error where MSAL or the service refuses it, a warning where it will
  /// bite, a note where it is worth knowing.
  var severity: Diagnostic.Severity { get }
  /// The severities that findings have besides `severity`, where a case is more or less serious.
  var otherSeverities: Set<Diagnostic.Severity> { get }
  /// What it finds in one file of a project. A finding stands in that file; other files' places are among its related ones.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic]
}

extension Rule {
  package var otherSeverities: Set<Diagnostic.Severity> { [] }

  /// Every severity that findings have, the rule's own first: `error, warning`.
  package var severityWords: String {
    ([severity] + otherSeverities.subtracting([severity]).sorted(by: >)).map(\.rawValue).joined(separator: ", ")
  }

  /// What it finds, in one line: the heading of its `rule.md`.
  package var words: String { String(page.prefix { $0 != "\n" }) }

  /// Why it matters and what to do: the rest of its `rule.md`.
  package var help: String { String(page.drop { $0 != "\n" }.drop(while: \.isNewline)) }

  /// Files that it finds something in; 1️⃣ marks the place of each finding.
  package var bad: RuleExample { RuleExample(folder: "rules/\(id)/bad/") }

  /// The same files as they should be; what the fix makes of `bad`, where there is a fix.
  package var good: RuleExample { RuleExample(folder: "rules/\(id)/good/") }

  private var page: Substring {
    guard let text = EmbeddedData.text("rules/\(id)/rule.md") else {
      preconditionFailure("the rule \(id) has no rule.md")
    }
    return text.dropFirst("# ".count).dropLast()
  }

  /// A finding of this rule.
  /// - Parameter severity: where it differs from the rule's own, because this case is graver or lighter.
  func finding(
    _ message: String, severity: Diagnostic.Severity? = nil, help: String? = nil, at place: FileSpan,
    related: [Diagnostic.Related] = [], fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(severity ?? self.severity, rule: id, message, help: help, at: place, related: related, fix: fix)
  }
}
