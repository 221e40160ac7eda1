import AppRegistration
import Diagnostics
import Documents
import Effects
import Validation

/// Prints the findings of a validation in the selected format.
struct ValidateOutput {
  let session: Session
  let format: ValidateCommand.Format
  /// The file to write, or nil for standard output.
  let path: String?
  let isQuiet: Bool
  let isVerbose: Bool
  /// Whether `--dry-run` writes its diff to standard output or to the file, so that findings must not be written there.
  let isDry: Bool

  func report(
    _ report: FilteredReport, unreadable: [Diagnostic], named: Set<String>, exitCode: Int32
  ) throws(ExitStatus) {
    let diagnostics = unreadable + report.diagnostics
    let summary = Self.summary(diagnostics, report, named: named, isFixing: isDry)
    var summaryStream = ConsoleStream.error
    switch format {
    case .text:
      if let path, !isDry {
        try session.write(CaretFrame(color: false).render(diagnostics), to: path)
        summaryStream = .output
      } else {
        if !isDry || path != nil { summaryStream = .output }
        session.show(unreadable)
        session.show(report.diagnostics, on: summaryStream)
      }
    case .json: try write(DiagnosticJSON.json(diagnostics).text(pretty: true) + "\n", as: .json)
    case .sarif:
      var report = report
      // Omit suppressed findings, because GitHub shows them as open.
      if !isVerbose { report.suppressed = [] }
      let sarif = SARIFReport(
        report, version: Version.text, exitCode: exitCode,
        workingDirectory: session.world.environment.workingDirectory, unreadable: unreadable)
      try write(sarif.json.text(pretty: true) + "\n", as: .json)
    case .github: try write(GitHubAnnotations.text(diagnostics), as: .commands)
    }
    guard !isQuiet, format == .text || format == .github || path != nil else { return }
    if summaryStream == .output { session.printLine(summary) } else { session.printStatus(summary) }
  }

  /// Writes the findings to the file or to standard output.
  private func write(_ text: String, as content: ConsoleContent) throws(ExitStatus) {
    if let path {
      try session.write(text, to: path)
    } else if !text.isEmpty {
      session.printLine(text, as: content)
    }
  }

  /// Returns the summary line, for example `12 files checked: 1 error, 0 warnings, 2 notes; 1 can be fixed with --fix`.
  static func summary(_ diagnostics: [Diagnostic], _ report: FilteredReport, named: Set<String>, isFixing: Bool)
    -> String
  {
    func count(_ severity: Diagnostic.Severity) -> String {
      diagnostics.count { $0.severity == severity }.counting(severity.rawValue)
    }
    let files = report.files.count { $0.kind != .unknown || named.contains($0.name) }
    var text = "\(files.counting("file")) checked: \(count(.error)), \(count(.warning)), \(count(.note))"
    let fixable = diagnostics.count(where: \.isFixable)
    if fixable > 0, !isFixing { text += "; \(fixable) can be fixed with --fix" }
    if !report.suppressed.isEmpty { text += "; \(report.suppressed.count) suppressed" }
    return text
  }
}
