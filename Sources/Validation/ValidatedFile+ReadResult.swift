import AppRegistration
import Diagnostics

extension ValidatedFile {
  /// Whether the file was read completely. Rules do not report missing keys in a file with syntax errors or
  /// preprocessor directives.
  var isComplete: Bool { !diagnostics.hasErrors && !isPreprocessed }

  /// Whether a preprocessor changes the file when the app is built.
  var isPreprocessed: Bool { diagnostics.contains { $0.rule == PreprocessedPropertyList.rule } }

  /// Adjusts findings for a preprocessed file. Because preprocessing can change the text, the findings have no fixes
  /// and are at most warnings.
  func adjustedForPreprocessing(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard !findings.isEmpty, isPreprocessed else { return findings }
    return findings.map { finding in
      var finding = finding
      finding.fix = nil
      finding.severity = min(finding.severity, .warning)
      return finding
    }
  }
}
