import AppRegistration
import Diagnostics

extension ValidatedFile {
  /// Whether all of it could be read: what is absent from a broken or preprocessed file may only have been lost.
  var isWhole: Bool { !diagnostics.hasErrors && !isPreprocessed }

  /// Whether a preprocessor changes the file before an app is built with it.
  var isPreprocessed: Bool { diagnostics.contains { $0.rule == PreprocessedPropertyList.rule } }

  /// Findings as far as they are certain for this file. A preprocessed one has other text than what was read, so it gets no fixes,
  /// and the preprocessor may remove what is wrong.
  func judged(_ findings: [Diagnostic]) -> [Diagnostic] {
    guard !findings.isEmpty, isPreprocessed else { return findings }
    return findings.map { finding in
      var finding = finding
      finding.fix = nil
      finding.severity = min(finding.severity, .warning)
      return finding
    }
  }
}
