import AppRegistration
import Diagnostics
import Documents
import Effects
import Validation

/// Tells what validating found, in the form that was asked for.
struct ValidateOutput {
  let session: Session
  let format: ValidateCommand.Format
  /// The file to write to; standard output where it is nil.
  let path: String?
  let isQuiet: Bool
  /// Whether standard output holds a diff, beside which nothing else may stand.
  let isDiff: Bool

  func tell(
    _ report: JudgedReport, unreadable: [Diagnostic], named: Set<String>, exitCode: Int32
  ) throws(ExitStatus) {
    let diagnostics = unreadable + report.diagnostics
    let summary = Self.summary(diagnostics, report, named: named, isFixing: isDiff)
    switch format {
    case .text:
      if let path {
        try session.write(CaretFrame(colour: false).render(diagnostics), to: path)
      } else {
        session.show(diagnostics)
      }
      if !isQuiet { tellPeople(summary, isResult: true) }
    case .json: try say(DiagnosticJSON.json(diagnostics).text(pretty: true) + "\n")
    case .sarif:
      let sarif = SARIFReport(
        report, version: Version.text, exitCode: exitCode,
        workingDirectory: session.world.environment.workingDirectory, unreadable: unreadable)
      try say(sarif.json.text(pretty: true) + "\n")
    case .github:
      try say(GitHubAnnotations.text(diagnostics))
      if !isQuiet { tellPeople(summary, isResult: true) }
    }
    if path != nil, format == .json || format == .sarif, !isQuiet { tellPeople(summary, isResult: false) }
  }

  private func say(_ text: String) throws(ExitStatus) {
    if let path {
      try session.write(text, to: path)
    } else if !text.isEmpty {
      session.say(text)
    }
  }

  private func tellPeople(_ text: String, isResult: Bool) {
    if isResult, !isDiff { session.say(text) } else { session.remark(text) }
  }

  /// Such as `12 files checked: 1 error, 0 warnings, 2 notes; 1 can be mended with --fix`.
  static func summary(_ diagnostics: [Diagnostic], _ report: JudgedReport, named: Set<String>, isFixing: Bool) -> String
  {
    func plural(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
    func count(_ severity: Diagnostic.Severity) -> String {
      plural(diagnostics.count { $0.severity == severity }, severity.rawValue)
    }
    let files = report.files.count { $0.kind != .unknown || named.contains($0.name) }
    var text = "\(plural(files, "file")) checked: \(count(.error)), \(count(.warning)), \(count(.note))"
    let fixable = diagnostics.count { $0.fix != nil }
    if fixable > 0, !isFixing { text += "; \(fixable) can be mended with --fix" }
    if !report.suppressed.isEmpty { text += "; \(report.suppressed.count) suppressed" }
    return text
  }
}
