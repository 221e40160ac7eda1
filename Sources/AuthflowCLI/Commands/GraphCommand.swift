import ArgumentParser
import Diagnostics
import Documents
import Effects
import Reports
import WorkflowModel

struct GraphCommand: SessionCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case text, mermaid, dot, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draw a workflow as a state machine",
    discussion: """
      `--coverage` marks the steps and transitions that scenarios covered. Create the coverage file with `authflow test \
      --coverage --json FILE`.

      Examples:
        authflow graph Workflows/me.yaml
        authflow graph Workflows/me.yaml --format svg --output me.svg
      """)

  @Argument(help: "Workflow to draw", completion: .file()) var file: String
  @Option(help: "Select the output format") var format: Format = .text
  @Option(
    name: .shortAndLong, help: ArgumentHelp("Write to this file (default: standard output)", valueName: "file"),
    completion: .file())
  var output: String?
  @Option(
    help: ArgumentHelp("Mark the coverage recorded in this JSON result", valueName: "file"), completion: .file())
  var coverage: String?
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try trust.apply(to: session)
    let load = session.load(inputs: [file])
    let (workflow, diagnostics) = WorkflowDecoder.read(load(file, ReadingOptions())) { load($0, ReadingOptions()) }
    let relevant = session.show(diagnostics, of: workflow, at: file, running: .none)
    guard let workflow, !relevant.hasErrors else { throw .usageError }
    var diagram = MachineDiagram(workflow)
    if let coverage { diagram = diagram.marked(by: try record(in: coverage, of: workflow, session)) }
    let drawing =
      switch format {
      case .text: DiagramText.render(diagram)
      case .mermaid: DiagramMermaid.render(diagram)
      case .dot: DiagramDOT.render(diagram)
      case .svg: DiagramSVG.render(diagram)
      }
    if Task.isCancelled { throw .interrupted }
    guard let output else { return session.printLine(drawing, as: format == .text ? .text : .data) }
    try session.write(drawing, to: output)
  }

  /// Reads the coverage of this workflow: the record for its file, or the only record in the result.
  private func record(
    in path: String, of workflow: Workflow, _ session: Session
  ) throws(ExitStatus) -> CoverageRecord {
    let document = try session.document(at: path)
    let json = document.root.json
    // The file contains either coverage or a test result with coverage.
    guard let records = CoverageJSON.read(json) ?? json["coverage"].flatMap(CoverageJSON.read) else {
      session.show([
        Diagnostic(
          .error, rule: "not-coverage", "not a coverage result from this version of authflow",
          help: "create the file with `authflow test --coverage --json \(path)`", at: document.root.place)
      ])
      throw .usageError
    }
    let file = workflow.document.source.name
    if let record = records.first(where: { $0.file == file }) ?? (records.count == 1 ? records[0] : nil) {
      return record
    }
    session.show([
      Diagnostic(
        .error, rule: "not-coverage", "no coverage for \(file)",
        help: "pass a result for this workflow; the file is for \(records.map(\.file).joined(separator: ", "))",
        at: document.root.place)
    ])
    throw .usageError
  }
}
