import ArgumentParser
import Diagnostics
import Documents
import Effects
import Reports
import WorkflowModel

struct GraphCommand: SessionCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, mermaid, dot, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draws the state machine that a workflow stands for.",
    discussion: """
      With --coverage what the scenarios covered is marked, as `test --coverage --json` wrote it.

      Example: authflow graph Workflows/me.yaml --format mermaid
      """)

  @Argument(help: "The workflow.", completion: .file()) var file: String
  @Option(help: "text, mermaid, dot or svg.") var format: Form = .text
  @Option(name: .shortAndLong, help: "Where to write; standard output otherwise.", completion: .file()) var output:
    String?

  @Option(help: "Coverage as JSON, to be marked.", completion: .file()) var coverage: String?
  @OptionGroup var trust: TrustOptions

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try trust.take(in: session)
    let load = session.load(inputs: [file])
    let (workflow, diagnostics) = WorkflowDecoder.read(load(file, ReadingOptions())) { load($0, ReadingOptions()) }
    let relevant = session.show(diagnostics, of: workflow, at: file, running: .none(by: "command"))
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

  /// The record of this workflow: by its file, else the only one there is.
  private func record(
    in path: String, of workflow: Workflow, _ session: Session
  ) throws(ExitStatus) -> CoverageRecord {
    let document = try session.document(at: path)
    let json = document.root.json
    // By itself, or in the result of a suite.
    guard let records = CoverageJSON.read(json) ?? json["coverage"].flatMap(CoverageJSON.read) else {
      session.show([
        Diagnostic(
          .error, rule: "not-coverage", "this is no coverage of this version",
          help: "write it with authflow test --coverage --json \(path)", at: document.root.place)
      ])
      throw .usageError
    }
    let file = workflow.document.source.name
    if let record = records.first(where: { $0.file == file }) ?? (records.count == 1 ? records[0] : nil) {
      return record
    }
    session.show([
      Diagnostic(
        .error, rule: "not-coverage", "it holds no coverage of \(file)",
        help: "it is about \(records.map(\.file).joined(separator: ", "))", at: document.root.place)
    ])
    throw .usageError
  }
}
