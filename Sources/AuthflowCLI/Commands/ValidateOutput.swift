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
  let isVerbose: Bool
  /// Whether the result is a diff, which stands on standard output or in the file, and nothing else beside it.
  let isDry: Bool

  func tell(
    _ report: FilteredReport, unreadable: [Diagnostic], named: Set<String>, exitCode: Int32
  ) throws(ExitStatus) {
    let diagnostics = unreadable + report.diagnostics
    let summary = Self.summary(diagnostics, report, named: named, isFixing: isDry)
    /// Where people read, whatever else is written.
    var people = ConsoleStream.error
    switch format {
    case .text:
      if let path, !isDry {
        try session.write(CaretFrame(color: false).render(diagnostics), to: path)
        people = .output
      } else {
        if !isDry || path != nil { people = .output }
        session.show(unreadable)
        session.show(report.diagnostics, on: people)
      }
    case .json: try printLine(DiagnosticJSON.json(diagnostics).text(pretty: true) + "\n", as: .json)
    case .sarif:
      var report = report
      // GitHub shows accepted findings as open ones.
      if !isVerbose { report.suppressed = [] }
      let sarif = SARIFReport(
        report, version: Version.text, exitCode: exitCode,
        workingDirectory: session.world.environment.workingDirectory, unreadable: unreadable)
      try printLine(sarif.json.text(pretty: true) + "\n", as: .json)
    case .github: try printLine(GitHubAnnotations.text(diagnostics), as: .commands)
    }
    guard !isQuiet, format == .text || format == .github || path != nil else { return }
    if people == .output { session.printLine(summary) } else { session.printStatus(summary) }
  }

  private func printLine(_ text: String, as content: ConsoleContent) throws(ExitStatus) {
    if let path {
      try session.write(text, to: path)
    } else if !text.isEmpty {
      session.printLine(text, as: content)
    }
  }

  /// Such as `12 files checked: 1 error, 0 warnings, 2 notes; 1 can be mended with --fix`.
  static func summary(_ diagnostics: [Diagnostic], _ report: FilteredReport, named: Set<String>, isFixing: Bool)
    -> String
  {
    func plural(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
    func count(_ severity: Diagnostic.Severity) -> String {
      plural(diagnostics.count { $0.severity == severity }, severity.rawValue)
    }
    let files = report.files.count { $0.kind != .unknown || named.contains($0.name) }
    var text = "\(plural(files, "file")) checked: \(count(.error)), \(count(.warning)), \(count(.note))"
    let fixable = diagnostics.count(where: \.isFixable)
    if fixable > 0, !isFixing { text += "; \(fixable) can be mended with --fix" }
    if !report.suppressed.isEmpty { text += "; \(report.suppressed.count) suppressed" }
    return text
  }
}
