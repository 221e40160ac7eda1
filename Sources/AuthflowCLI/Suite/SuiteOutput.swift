import Diagnostics
import Documents
import Effects
import Reports
import Validation

/// Prints the result of a test run, writes its reports, and determines the exit status.
struct SuiteOutput {
  let session: Session
  let format: OutputFormat
  let isQuiet: Bool
  let isVerbose: Bool
  var junit: String?
  /// The path of the TAP report, or `-` for standard output.
  var tap: String?
  var json: String?
  /// The path of the HTML report.
  var report: String?
  /// The traces of the scenarios for the HTML report.
  var traces: SuiteTraces?
  let coverage: CoverageOptions
  /// Whether to print the result.
  var printsText = true

  /// GitHub's size limit for job summaries, in bytes.
  private static let summaryLimit = 1 << 20
  /// The maximum number of annotations that GitHub shows.
  private static let annotationLimit = 50

  /// Returns the error in the output options, if any.
  static func problem(format: OutputFormat, tap: String?) -> String? {
    tap == "-" && format == .json
      ? "`--tap` and `--format json` cannot both use standard output\n  help: use `--tap=FILE`" : nil
  }

  /// Prints and writes the result.
  /// - Parameter traceStatus: The exit status from comparing and writing traces.
  /// - Throws: The exit status if the test run failed.
  func report(_ suite: SuiteResult, traceStatus: ExitStatus = .success) throws(ExitStatus) {
    switch format {
    case .json: session.printJSON(SuiteJSON.json(suite))
    case .text: if printsText { printText(suite) }
    }
    var status = traceStatus
    // If one report cannot be written, continue with the others.
    for (path, text) in files(suite) {
      if path == "-" {
        session.printLine(text, as: path == json ? .json : .data)
      } else {
        do throws(ExitStatus) { try session.write(text, to: path) } catch { status = error }
      }
    }
    do throws(ExitStatus) { try coverage.draw(suite.coverage ?? [], in: session) } catch { status = error }
    if session.world.environment["GITHUB_ACTIONS"] != nil { annotate(suite) }
    do throws(ExitStatus) { try summarize(suite) } catch { status = error }
    if suite.ending == .interrupted { throw .interrupted }
    if status != .success { throw status }
    // The coverage of an incomplete run is meaningless.
    let coverageErrors = suite.ending == .complete ? coverage.errors(suite.coverage ?? []) : []
    for message in coverageErrors { session.reportError(message) }
    if !suite.failures.isEmpty || !coverageErrors.isEmpty { throw .failed }
  }

  private func files(_ suite: SuiteResult) -> [(path: String, text: String)] {
    var files: [(String, String)] = []
    let isJenkins = session.world.environment["JENKINS_URL"] != nil
    if let junit { files.append((junit, JUnitReport(placesTests: !isJenkins).text(suite))) }
    if let tap { files.append((tap, TAPReport.text(suite))) }
    if let json { files.append((json, SuiteJSON.json(suite).text(pretty: true) + "\n")) }
    if let report { files.append((report, SuitePage(suite: suite, archive: traces?.archive(of: suite)).html())) }
    return files
  }

  private func printText(_ suite: SuiteResult) {
    let stream: ConsoleStream = tap == "-" ? .error : .output
    let text = SuiteText(style: session.style(for: stream))
    var output = ""
    for test in suite.tests {
      if test.failure != nil {
        output += text.failure(test) + "\n"
      } else if isVerbose {
        output += text.line(test)
      }
    }
    if !isQuiet || !suite.hasPassed { output += text.summary(suite) }
    if coverage.coverage, !isQuiet, let records = suite.coverage { output += "\n" + SuiteCoverageText.render(records) }
    if !output.isEmpty { session.world.console.write(output, to: stream) }
  }

  // MARK: GitHub

  /// Writes an annotation for each failure to standard error. GitHub also reads annotations from standard error.
  private func annotate(_ suite: SuiteResult) {
    for test in suite.failures.prefix(Self.annotationLimit) {
      let problem = test.failure?.problems.first { $0.line != nil && $0.rule != "golden" }
      session.printStatus(
        GitHubAnnotations.error(
          file: pathInRepository(problem?.file ?? test.file), line: problem?.line ?? test.line,
          column: problem?.column ?? test.column, title: test.name, message: test.failure?.headline ?? "scenario failed"
        ),
        as: .commands)
    }
  }

  /// Returns the path of a file relative to the root of the repository, or the unchanged path if the file is outside
  /// the repository.
  private func pathInRepository(_ file: String) -> String {
    let absolute = session.absolutePath(file)
    guard let root = session.world.environment["GITHUB_WORKSPACE"], absolute.hasPrefix(root + "/") else { return file }
    return String(absolute.dropFirst(root.utf8.count + 1))
  }

  /// Appends the result to GitHub's job summary.
  private func summarize(_ suite: SuiteResult) throws(ExitStatus) {
    guard let path = session.world.environment["GITHUB_STEP_SUMMARY"] else { return }
    let existing = (try? session.world.files.read(path, limit: Self.summaryLimit)) ?? []
    let remaining = Self.summaryLimit - existing.count - 1
    guard remaining > 1024 else { return }
    let text = MarkdownSummary.text(suite, limit: remaining)
    let separator: [UInt8] = existing.isEmpty || existing.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    try session.write(existing + separator + Array(text.utf8), to: path)
  }
}
