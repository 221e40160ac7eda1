import AppRegistration
import Diagnostics

/// One thing that is looked for in an app's files.
package protocol Rule: Sendable {
  /// The stable name: `app-id-placeholder`.
  var id: String { get }
  /// How serious a finding is where nobody says otherwise.
  var severity: Diagnostic.Severity { get }
  /// What it finds, in one line.
  var words: String { get }
  /// Why it matters and what to do, for a reader who has never met it.
  var help: String { get }
  /// A document that it complains about; 1️⃣ stands where the complaint points.
  var bad: String { get }
  /// The same document as it should be.
  var good: String { get }
  /// What it finds in one file of a project.
  func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic]
}

extension Rule {
  /// A finding of this rule.
  func finding(
    _ message: String, help: String? = nil, at place: Place, related: [Diagnostic.Related] = [],
    fix: Diagnostic.Fix? = nil
  ) -> Diagnostic {
    Diagnostic(severity, rule: id, message, help: help, at: place, related: related, fix: fix)
  }
}

/// A rule that loading the settings already speaks: `run` must refuse the same files, so the check stands with the loader.
protocol LoadingRule: Rule {
  var rule: SettingsRule { get }
}

extension LoadingRule {
  package var id: String { rule.rawValue }
  package var severity: Diagnostic.Severity { .error }

  package func check(_ file: ValidatedFile, in project: Project) -> [Diagnostic] {
    file.loadedSettings.flatMap { $0.allDiagnostics.filter { $0.rule == id } }
  }
}
