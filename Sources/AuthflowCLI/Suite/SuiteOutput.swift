import Diagnostics
import Documents
import Effects
import Reports
import Validation

/// Tells what a suite came to, in the forms that were asked for, and ends the command accordingly.
struct SuiteOutput {
  let session: Session
  let format: OutputFormat
  let isQuiet: Bool
  let isVerbose: Bool
  var junit: String?
  /// `-` for standard output.
  var tap: String?
  var json: String?
  /// The HTML page.
  var report: String?
  let coverage: CoverageOptions

  /// What GitHub takes as a summary of a job.
  private static let summaryLimit = 1 << 20
  /// More annotations than these are shown nowhere.
  private static let mostAnnotations = 50

  /// What is wrong with the choice of outputs, if anything.
  static func mistake(format: OutputFormat, tap: String?) -> String? {
    tap == "-" && format == .json ? "--tap and --format json both want standard output: give one of them a file" : nil
  }

  /// - Parameter goldens: how comparing with goldens, or writing them, ended.
  func tell(_ suite: SuiteResult, goldens: ExitStatus = .success) throws(ExitStatus) {
    switch format {
    case .json: session.printLine(SuiteJSON.json(suite).text(pretty: true), as: .json)
    case .text: printText(suite)
    }
    var ending = goldens
    // One that cannot be written must not cost the others.
    for (path, text) in files(suite) {
      if path == "-" {
        session.printLine(text, as: path == json ? .json : .data)
      } else {
        do throws(ExitStatus) { try session.write(text, to: path) } catch { ending = error }
      }
    }
    do throws(ExitStatus) { try coverage.draw(suite.coverage ?? [], in: session) } catch { ending = error }
    if session.world.environment["GITHUB_ACTIONS"] != nil { annotate(suite) }
    do throws(ExitStatus) { try summarize(suite) } catch { ending = error }
    if suite.ending == .interrupted { throw .interrupted }
    if ending != .success { throw ending }
    // What was not run covers nothing: that says nothing about the scenarios.
    let shortcomings = suite.ending == .complete ? coverage.shortcomings(suite.coverage ?? []) : []
    for words in shortcomings { session.printStatus("error: \(words)") }
    if !suite.failures.isEmpty || !shortcomings.isEmpty { throw .failed }
  }

  private func files(_ suite: SuiteResult) -> [(path: String, text: String)] {
    var files: [(String, String)] = []
    let isJenkins = session.world.environment["JENKINS_URL"] != nil
    if let junit { files.append((junit, JUnitReport(placesTests: !isJenkins).text(suite))) }
    if let tap { files.append((tap, TAPReport.text(suite))) }
    if let json { files.append((json, SuiteJSON.json(suite).text(pretty: true) + "\n")) }
    if let report { files.append((report, SuitePage(suite: suite).html())) }
    return files
  }

  private func printText(_ suite: SuiteResult) {
    let stream: ConsoleStream = tap == "-" ? .error : .output
    let text = SuiteText(style: session.style(for: stream))
    var told = ""
    for test in suite.tests {
      if test.failure != nil {
        told += text.failure(test) + "\n"
      } else if isVerbose {
        told += text.line(test)
      }
    }
    if !isQuiet || !suite.hasPassed { told += text.summary(suite) }
    if coverage.coverage, !isQuiet, let records = suite.coverage { told += "\n" + SuiteCoverageText.render(records) }
    if !told.isEmpty { session.world.console.write(told, to: stream) }
  }

  // MARK: GitHub

  /// An annotation for each failure, at its place in the list of changes. On standard error, where GitHub reads them too.
  private func annotate(_ suite: SuiteResult) {
    for test in suite.failures.prefix(Self.mostAnnotations) {
      let problem = test.failure?.problems.first { $0.line != nil && $0.rule != "golden" }
      session.printStatus(
        GitHubAnnotations.error(
          file: inRepository(problem?.file ?? test.file), line: problem?.line ?? test.line,
          column: problem?.column ?? test.column, title: test.name, words: test.failure?.headline ?? "it failed"),
        as: .commands)
    }
  }

  /// The file seen from the repository's root.
  private func inRepository(_ file: String) -> String {
    let environment = session.world.environment
    let absolute = FilePath.join(environment.workingDirectory, file)
    guard let root = environment["GITHUB_WORKSPACE"], absolute.hasPrefix(root + "/") else { return file }
    return String(absolute.dropFirst(root.utf8.count + 1))
  }

  /// Adds a page to the job's summary, behind what earlier commands of the step said there.
  private func summarize(_ suite: SuiteResult) throws(ExitStatus) {
    guard let path = session.world.environment["GITHUB_STEP_SUMMARY"] else { return }
    let before = (try? session.world.files.read(path, limit: Self.summaryLimit)) ?? []
    let room = Self.summaryLimit - before.count - 1
    guard room > 1024 else { return }
    let text = MarkdownSummary.text(suite, limit: room)
    let end: [UInt8] = before.isEmpty || before.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    try session.write(before + end + Array(text.utf8), to: path)
  }
}
