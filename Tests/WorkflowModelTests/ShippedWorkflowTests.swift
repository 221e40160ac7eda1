import Diagnostics
import Documents
import TestSupport
import Testing

@testable import WorkflowModel

/// Every workflow that is shipped: it reads, it is sound, its schema accepts it, its machine draws.
@Suite struct ShippedWorkflowTests {
  static let paths: [String] = ((try? Corpus.names(inProjectFolder: "Workflows")) ?? []).filter { name in
    guard name.contains("."), let bytes = try? Corpus.bytes(ofProjectFile: "Workflows/\(name)") else { return false }
    return DocumentReader.read(bytes, named: name).document.map { WorkflowReading.isWorkflow($0) } ?? false
  }

  @Test func thereAreSome() {
    #expect(Self.paths.contains("me.yaml"))
    #expect(Self.paths.contains("sign-out.plist"))
    #expect(Self.paths.contains("calendar.json"))
  }

  @Test(arguments: paths)
  func isSound(_ path: String) throws {
    let (found, diagnostics) = try Self.read(path)
    let workflow = try #require(found)
    #expect((diagnostics + WorkflowChecks.run(workflow)).map { "\($0.rule): \($0.message)" } == [])
    #expect(!workflow.scenarios.isEmpty)
  }

  @Test(arguments: paths)
  func schemaAcceptsIt(_ path: String) throws {
    let document = try #require(
      DocumentReader.read(try Corpus.bytes(ofProjectFile: "Workflows/\(path)"), named: path).document)
    #expect(SchemaJudge(Workflow.schema).complaints(about: document.root.json) == [])
  }

  @Test(arguments: paths)
  func draws(_ path: String) throws {
    let diagram = MachineDiagram(try #require(try Self.read(path).workflow))
    #expect(DiagramText.render(diagram).hasPrefix(diagram.title))
    try Self.expectMermaid(DiagramMermaid.render(diagram), of: diagram)
    #expect(DiagramDOT.render(diagram).hasSuffix("}\n"))
    #expect(DiagramSVG.render(diagram).hasSuffix("</svg>\n"))
  }

  /// The text is in Mermaid's grammar, and says what the machine is.
  static func expectMermaid(_ text: String, of diagram: MachineDiagram) throws {
    let read = try MermaidStates(text)
    let fails = diagram.transitions.contains { $0.to == .failure }
    #expect(read.states.count == diagram.states.count + (fails ? 1 : 0))
    for (state, shown) in zip(diagram.states, read.states) where !state.id.contains("\n") {
      #expect(shown.description.hasPrefix(state.id))
    }
    // The drawn arrows, the first one, and those to and between the steps of `finally`.
    let last = diagram.states.count { $0.role == .finally }
    #expect(read.transitions.count == diagram.transitions.count + 1 + last + (last > 0 && fails ? 1 : 0))
    for (transition, shown) in zip(diagram.transitions, read.transitions.dropFirst()) {
      #expect(shown.from == "s\(transition.from)" && shown.label.hasPrefix(transition.outcomes[0]))
      if case .state(let position) = transition.to { #expect(shown.to == "s\(position)") }
      if transition.to == .failure { #expect(shown.to == "failed") }
    }
  }

  static func read(_ path: String) throws -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let bytes = try Corpus.bytes(ofProjectFile: "Workflows/\(path)")
    return WorkflowReading.read(DocumentReader.read(bytes, named: "Workflows/\(path)")) { other in
      guard let bytes = try? Corpus.bytes(ofProjectFile: other) else {
        return Reading(
          document: nil, diagnostics: [Diagnostic(.error, rule: "no-file", "no such file", at: .file(other))])
      }
      return DocumentReader.read(bytes, named: other)
    }
  }
}
