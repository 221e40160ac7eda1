import ArgumentParser
import Diagnosis
import Diagnostics
import Documents
import Effects
import Validation

struct DiagnoseCommand: SessionCommand {
  /// The output format of the diagnosis.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, markdown, json, sarif
  }

  static let configuration = CommandConfiguration(
    commandName: "diagnose",
    abstract: "Find the cause of a failed sign-in in a log, error, or recording",
    discussion: """
      Reads logs from all MSAL libraries, printed errors, exceptions with stack traces, error pages, redirect URLs, \
      token responses, HTTP archives (HAR), API errors, decoded tokens, token caches, and traces. The input is \
      recognized by its content and can be compressed with gzip. If you pass several files, they are diagnosed together.

      The output contains the cause with its confidence, the lines that support it, and the fix. If the input does not \
      determine the cause, the command asks for the missing information. With `--project`, the command also compares the \
      requests in an HTTP archive with the app's settings and app manifest, and shows the lines in the project that \
      cause the failure. Secrets and personal data are masked, and no data leaves your machine. `--write` writes a \
      workflow that reproduces the failure on the emulator.

      The exit code is 0 if the cause is determined, 1 if it is not, and 2 if the input contains no failure. For an \
      HTTP archive without a failure, the exit code with `--project` is 1 if there are errors, and 0 otherwise.

      Examples:
        authflow diagnose app.log
        adb logcat -d | authflow diagnose -
        authflow diagnose app.log --format markdown
        authflow diagnose app.log --write repro.yaml
        authflow diagnose traffic.har --project . --format sarif
      """)

  @Argument(help: "Logs or other text to diagnose, or `-` for standard input", completion: .file())
  var files: [String] = []
  @Option(help: "Select the output format") var format: Format = .text
  @Option(
    help: ArgumentHelp("Write a workflow that reproduces the failure", valueName: "file"), completion: .file())
  var write: String?
  @Option(
    help: ArgumentHelp("Compare the input with the app's files in this folder", valueName: "folder"),
    completion: .directory)
  var project: String?
  @Flag(name: .shortAndLong, help: "Show all failures and all supporting lines") var verbose = false

  func perform(in session: Session) async throws(ExitStatus) {
    guard !files.isEmpty else {
      throw session.report(
        .usageError, "missing file",
        help: "pass a log, or `-` to read standard input, as in `authflow diagnose app.log`")
    }
    if files.filter({ $0 == "-" }).count > 1 {
      throw session.report(.usageError, "standard input can be read only once")
    }
    if format == .sarif, project == nil {
      throw session.report(
        .usageError, "`--format sarif` requires `--project`", help: "SARIF contains the findings about a project")
    }
    if let write {
      try session.protect(write, from: "--write", kind: "a workflow") { $0.contains("steps:") }
    }
    var diagnoser = Diagnoser()
    for file in files { try await read(file, into: &diagnoser, in: session) }
    guard !Task.isCancelled else { throw .interrupted }
    let diagnosis = diagnoser.result
    let compared = try project.map { (folder) throws(ExitStatus) in
      try DiagnosedProject(folder: folder, archives: files, diagnosis: diagnosis, in: session)
    }
    let report = compared?.report
    let isAboutProject = diagnosis.main == nil && report?.diagnostics.isEmpty == false
    try show(diagnosis, report, compared?.places ?? [], isAboutProject: isAboutProject, in: session)
    if let write { try writeScenario(of: diagnosis, to: write, in: session) }
    if isAboutProject {
      if report?.diagnostics.hasErrors == true { throw .failed }
      return
    }
    guard let main = diagnosis.main else { throw .usageError }
    if !main.isDetermined { throw .failed }
  }

  // MARK: Input

  private func read(_ file: String, into diagnoser: inout Diagnoser, in session: Session) async throws(ExitStatus) {
    let name = file == "-" ? "standard input" : file
    if file == "-", session.world.console.isTerminal(.error), session.world.files.kind(of: "/dev/stdin") != .file {
      // Read line by line, so that Ctrl-C can interrupt the command.
      var text = ""
      while let line = await session.world.console.readLine() { text += line + "\n" }
      return diagnoser.add(Array(text.utf8), named: name)
    }
    do throws(FileFailure) {
      try diagnoser.add(named: name) { (body) throws(FileFailure) in
        try session.world.files.readPieces(of: file == "-" ? InputStreams.standardInput : file) { chunk in
          !Task.isCancelled && body(chunk)
        }
      }
    } catch {
      throw session.report(.usageError, error.explanation)
    }
  }

  // MARK: Output

  /// - Parameter isAboutProject: Whether the input contains no failure, but its requests differ from the project.
  private func show(
    _ diagnosis: DiagnosisResult, _ report: FilteredReport?, _ places: [ProjectPlace], isAboutProject: Bool,
    in session: Session
  ) throws(ExitStatus) {
    for input in diagnosis.unusable {
      session.reportError("\(CaretFrame.visible(input.source)) \(input.reason)", help: "pass a log or other text")
    }
    if diagnosis.main == nil, diagnosis.unusable.isEmpty, !isAboutProject {
      session.reportError(
        "the input contains no failed sign-in",
        help: "pass the error itself, or a log from the time of the failure")
    }
    let findings = report?.diagnostics ?? []
    switch format {
    case .json:
      var json = diagnosis.json(findings: DiagnosticJSON.json(findings).array ?? [])
      json["places"] = .array(places.map(\.json))
      session.printJSON(json)
    case .markdown: if diagnosis.main != nil { session.printLine(diagnosis.markdown(places: places.map(\.line))) }
    case .sarif:
      let report = report ?? FilteredReport(diagnostics: [], suppressed: [], files: [])
      let sarif = SARIFReport(
        report, version: Version.text, exitCode: 0, workingDirectory: session.world.environment.workingDirectory)
      session.printJSON(sarif.json)
    case .text:
      if diagnosis.main != nil {
        let text = DiagnosisText(
          style: session.style(for: .output), isVerbose: verbose, places: places.map(\.line))
        session.printLine(text.render(diagnosis, files: files))
      }
      session.show(findings, on: .output)
    }
  }

  /// - Throws: `.usageError` if no workflow reproduces the failure.
  private func writeScenario(of diagnosis: DiagnosisResult, to path: String, in session: Session) throws(ExitStatus) {
    guard let failure = diagnosis.main, let cause = failure.cause else {
      throw session.report(
        .failed, "no workflow was written, because the cause is not determined",
        help: diagnosis.main.map { "provide \($0.needs)" })
    }
    guard let scenario = failure.scenario else {
      let help = cause.codes.first.map { "run `authflow explain \($0)` for details" }
      throw session.report(
        .failed, "no workflow was written, because the emulator cannot reproduce `\(cause.id)`",
        help: cause.unreproducible ?? help)
    }
    try session.write(scenario, to: path)
    session.printStatus("wrote \(CaretFrame.visible(path)); run `authflow test \(CaretFrame.visible(path))`")
  }
}
