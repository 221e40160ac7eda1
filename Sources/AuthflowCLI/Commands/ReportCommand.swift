import ArgumentParser
import Documents
import Effects
import Reports

struct ReportCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "report", abstract: "Shows a recorded trace, or writes it in other forms.",
    discussion: """
      Without a form the run is told as authflow run told it. A trace that was cut, such as that of a run that was killed, is told \
      as far as it goes. Secrets are placeholders in every form, as they are in the trace.

      --otlp sends the run's spans to a collector of OpenTelemetry by HTTP, or writes them to a file as JSON. A URL without a \
      path gets /v1/traces; headers come from OTEL_EXPORTER_OTLP_HEADERS.

      Example: authflow report trace.jsonl --markdown run.md
      """)

  @Argument(help: ArgumentHelp("The trace, or - for standard input.", valueName: "trace"), completion: .file())
  var trace: String
  @Option(
    help: ArgumentHelp("Write one HTML page, to be opened from the file.", valueName: "file"), completion: .file())
  var html: String?
  @Option(
    help: ArgumentHelp("Write JUnit XML: a test for each step, and one for the run.", valueName: "file"),
    completion: .file())
  var junit: String?
  @Option(
    help: ArgumentHelp("Write an HTTP Archive (HAR 1.2) of every exchange.", valueName: "file"), completion: .file())
  var har: String?
  @Option(
    help: ArgumentHelp("Send OpenTelemetry's spans to a collector, or write them.", valueName: "url|file"),
    completion: .file())
  var otlp: String?
  @Option(help: ArgumentHelp("Write a sequence diagram for Mermaid.", valueName: "file"), completion: .file())
  var mermaid: String?
  @Option(help: ArgumentHelp("Write Markdown, for a pull request.", valueName: "file"), completion: .file())
  var markdown: String?
  @Flag(name: .shortAndLong, help: "Without a form: also show every check and each HTTP exchange.")
  var verbose = false

  /// The forms that are files, with what makes their text. `-` is standard output.
  private func files(in session: Session) -> [(path: String, content: ConsoleContent, text: (TracedRun) -> String)] {
    let isJenkins = session.world.environment["JENKINS_URL"] != nil
    let all: [(String?, ConsoleContent, (TracedRun) -> String)] = [
      (html, .data, { RunPage(story: $0).html() }),
      (junit, .data, { JUnitReport(placesTests: !isJenkins).text(RunSuite.record($0)) }),
      (har, .json, { HTTPArchive.json($0).text(pretty: true) + "\n" }),
      (collector == nil ? otlp : nil, .json, { RunSpans($0).json.text() + "\n" }),
      (mermaid, .data, { mermaid($0, in: session) }), (markdown, .data, { RunMarkdown.text($0) }),
    ]
    return all.compactMap { path, content, text in path.map { ($0, content, text) } }
  }

  private func mermaid(_ story: TracedRun, in session: Session) -> String {
    let sequence = TruncatedSequence(story)
    if let leftOut = sequence.leftOut {
      session.printStatus(
        "note: the diagram has \(leftOut); Mermaid draws \(TruncatedSequence.mostCharacters) characters at the most")
    }
    return sequence.text
  }

  private var collector: String? {
    otlp.flatMap { $0.lowercased().hasPrefix("http://") || $0.lowercased().hasPrefix("https://") ? $0 : nil }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let files = files(in: session)
    for (position, file) in files.enumerated() where file.path.isEmpty || position > 0 {
      if file.path.isEmpty || files[..<position].contains(where: { $0.path == file.path }) {
        session.printStatus(
          file.path.isEmpty
            ? "error: a form is to be written to a file without a name"
            : "error: two forms are to be written to \(file.path)\n  help: give each its own file")
        throw .usageError
      }
    }
    if files.contains(where: { $0.path == trace && trace != "-" }) {
      session.printStatus("error: \(trace) is the trace itself, which is left as it is\n  help: name another file")
      throw .usageError
    }
    let showsRun = files.isEmpty && collector == nil
    guard let story = try read(showing: showsRun, in: session) else { throw .usageError }
    var ending = ExitStatus.success
    // One that cannot be written must not cost the others.
    for file in files {
      let text = file.text(story)
      if file.path == "-" {
        session.printLine(text, as: file.content)
      } else {
        do throws(ExitStatus) { try session.write(text, to: file.path) } catch { ending = error }
      }
    }
    if let collector {
      do throws(ExitStatus) {
        try await CollectorDelivery(url: collector, session: session).send(RunSpans(story).batches)
      } catch { ending = error }
    }
    if ending != .success { throw ending }
  }

  /// Reads the trace, telling what is wrong with it.
  /// - Parameter showing: whether the run is told on the terminal as it is read.
  private func read(showing: Bool, in session: Session) throws(ExitStatus) -> TracedRun? {
    var terminal = TerminalRunReport(style: session.style(for: .output), detail: verbose ? .verbose : .normal)
    let console = session.world.console
    var reader = TraceReader(named: trace == "-" ? "<stdin>" : trace) { event in
      guard showing else { return }
      let text = terminal.tell(event)
      if !text.isEmpty { console.write(text, to: .output) }
    }
    do {
      try session.world.files.readPieces(of: trace == "-" ? InputStreams.standardInput : trace) { reader.take($0) }
    } catch {
      session.show([UnreadableFile(path: trace, failure: error).diagnostic])
      throw .usageError
    }
    let reading = reader.finish()
    session.show(reading.diagnostics)
    return reading.story
  }
}
