import ArgumentParser
import Documents
import Effects
import Reports
import Trust

struct ReportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Show a trace, or convert it to a report",
    discussion: """
      By default, the command shows the run in the same way as `authflow run`. If the trace is incomplete, for example \
      because the run was killed, the report ends where the trace ends. Reports never contain secrets, because traces \
      do not contain them.

      `--otlp` sends spans to an OpenTelemetry collector over HTTP, or writes them to a JSON file. If the URL has no path, \
      spans go to `/v1/traces`. `OTEL_EXPORTER_OTLP_HEADERS` sets request headers.

      `--compare` shows two runs side by side, with the decisions and requests of the first step that differs. It also \
      compares two folders that `authflow test --trace FOLDER` wrote. The exit code is 1 if the runs differ.

      Examples:
        authflow report trace.jsonl
        authflow report trace.jsonl --markdown run.md
        authflow report before.jsonl --compare after.jsonl --html difference.html
      """)

  @Argument(
    help: ArgumentHelp("Trace file, `-` for standard input, or a folder for `--compare`", valueName: "trace"),
    completion: .file())
  var trace: String
  @Option(help: ArgumentHelp("Write an HTML page", valueName: "file"), completion: .file())
  var html: String?
  @Option(
    help: ArgumentHelp("Write JUnit XML with a test for each step and one for the run", valueName: "file"),
    completion: .file())
  var junit: String?
  @Option(
    help: ArgumentHelp("Write all HTTP exchanges as an HTTP Archive (HAR 1.2)", valueName: "file"),
    completion: .file())
  var har: String?
  @Option(
    help: ArgumentHelp("Send OpenTelemetry spans to a collector, or write them to a file", valueName: "url|file"),
    completion: .file())
  var otlp: String?
  @Option(help: ArgumentHelp("Write a Mermaid sequence diagram", valueName: "file"), completion: .file())
  var mermaid: String?
  @Option(help: ArgumentHelp("Write Markdown for pull requests", valueName: "file"), completion: .file())
  var markdown: String?
  @Option(help: ArgumentHelp("Compare with this trace or folder", valueName: "trace"), completion: .file())
  var compare: String?
  @Flag(name: .shortAndLong, help: "Show all checks and HTTP exchanges on the terminal")
  var verbose = false

  /// Returns the report files to write. The path `-` is standard output.
  private func files(in session: Session) -> [(path: String, content: ConsoleContent, text: (TracedRun) -> String)] {
    let isJenkins = session.world.environment["JENKINS_URL"] != nil
    let all: [(String?, ConsoleContent, (TracedRun) -> String)] = [
      (html, .data, { RunPage(tracedRun: $0).html() }),
      (junit, .data, { JUnitReport(placesTests: !isJenkins).text(RunSuite.record($0)) }),
      (har, .json, { HTTPArchive.json($0).text(pretty: true) + "\n" }),
      (collector == nil ? otlp : nil, .json, { RunSpans($0).json.text() + "\n" }),
      (mermaid, .data, { mermaid($0, in: session) }), (markdown, .data, { RunMarkdown.text($0) }),
    ]
    return all.compactMap { path, content, text in path.map { ($0, content, text) } }
  }

  private func mermaid(_ run: TracedRun, in session: Session) -> String {
    let sequence = TruncatedSequence(run)
    if let leftOut = sequence.leftOut {
      session.printStatus(
        "note: the diagram contains \(leftOut), because Mermaid's limit is "
          + "\(TruncatedSequence.mostCharacters) characters")
    }
    return sequence.text
  }

  /// The value of `--otlp` if it is a URL.
  private var collector: String? {
    otlp.flatMap { $0.lowercased().hasPrefix("http://") || $0.lowercased().hasPrefix("https://") ? $0 : nil }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let files = files(in: session)
    for (index, file) in files.enumerated() {
      if file.path.isEmpty { throw session.report(.usageError, "empty path for a report") }
      if files[..<index].contains(where: { $0.path == file.path }) {
        throw session.report(
          .usageError, "two reports use the same file: \(file.path)", help: "use a separate file for each report")
      }
    }
    if files.contains(where: { $0.path != "-" && ($0.path == trace || $0.path == compare) }) {
      throw session.report(.usageError, "the report would overwrite the trace: \(trace)", help: "use another file")
    }
    if let compare {
      let others = [junit, har, otlp, mermaid, markdown]
      if others.contains(where: { $0 != nil }) || verbose {
        throw session.report(.usageError, "`--compare` supports only `--html`")
      }
      return try await TraceComparison(session: session, left: trace, right: compare, html: html).perform()
    }
    let showsRun = files.isEmpty && collector == nil
    let progress = ReportProgressReporter()
    let region = showsRun ? nil : LiveRegion(in: session, lines: progress.lines)
    let result = await region.showingProgress { read(showing: showsRun, progress, in: session) }
    let run = try session.tracedRun(of: result)
    var status = ExitStatus.success
    // If one report cannot be written, continue with the others.
    for file in files {
      progress.write(file.path)
      let text = await region.showingProgress { file.text(run) }
      guard !Task.isCancelled else { throw .interrupted }
      if file.path == "-" {
        session.printLine(text, as: file.content)
      } else {
        do throws(ExitStatus) { try session.write(text, to: file.path) } catch { status = error }
      }
    }
    if let collector {
      do throws(ExitStatus) {
        try await CollectorDelivery(url: collector, session: session).send(RunSpans(run).batches)
      } catch { status = error }
    }
    if status != .success { throw status }
  }

  /// Reads the trace, and optionally shows the run on the terminal.
  /// - Parameter showing: Whether to show the run on the terminal while reading.
  private func read(
    showing: Bool, _ progress: ReportProgressReporter, in session: Session
  ) -> Result<TraceReadResult, UnreadableFile> {
    var terminal = TerminalRunReport(style: session.style(for: .output), detail: verbose ? .verbose : .normal)
    let console = session.world.console
    return session.readTrace(trace, progress: progress) { event in
      guard showing else { return }
      let text = terminal.text(of: event)
      if !text.isEmpty { console.write(text, to: .output) }
    }
  }
}
