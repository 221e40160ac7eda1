import ArgumentParser
import Diagnostics
import WorkflowModel

struct GraphCommand: SessionCommand {
  enum Form: String, ExpressibleByArgument, CaseIterable {
    case text, mermaid, dot, svg
  }

  static let configuration = CommandConfiguration(
    commandName: "graph", abstract: "Draws the state machine that a workflow stands for.",
    discussion: "Example: authflow graph Workflows/me.yaml --format mermaid")

  @Argument(help: "The workflow.") var file: String
  @Option(help: "text, mermaid, dot or svg.") var format: Form = .text
  @Option(name: .shortAndLong, help: "Where to write; standard output otherwise.") var output: String?

  func perform(in session: Session) async throws(ExitStatus) {
    let (workflow, diagnostics) = WorkflowReading.read(session.reading(of: file)) { session.reading(of: $0) }
    session.show(diagnostics)
    guard let workflow, !diagnostics.hasErrors else { throw .unusable }
    let diagram = MachineDiagram(workflow)
    let drawing =
      switch format {
      case .text: DiagramText.render(diagram)
      case .mermaid: DiagramMermaid.render(diagram)
      case .dot: DiagramDOT.render(diagram)
      case .svg: DiagramSVG.render(diagram)
      }
    guard let output else { return session.say(drawing) }
    try session.write(drawing, to: output)
  }
}
