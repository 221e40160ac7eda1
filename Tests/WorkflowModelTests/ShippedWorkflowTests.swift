import Diagnostics
import Documents
import Reports
import TestSupport
import Testing

import WorkflowModel

/// Tests decoding, checks, schema, and diagrams for every shipped workflow.
@Suite struct ShippedWorkflowTests {
  static let paths = documents.filter { !WorkflowDecoder.isScenariosFile($0.1) }.map(\.0)
  static let scenarioPaths = documents.filter { WorkflowDecoder.isScenariosFile($0.1) }.map(\.0)

  private static let documents = ((try? ProjectFiles.names(in: "Workflows")) ?? []).compactMap {
    name -> (String, Document)? in
    guard name.contains("."), let bytes = try? ProjectFiles.bytes(of: "Workflows/\(name)"),
      let document = DocumentReader.read(bytes, named: name).document, WorkflowDecoder.isWorkflow(document)
    else { return nil }
    return (name, document)
  }

  @Test func findsWorkflowsAndScenariosFiles() {
    #expect(Self.paths.contains("me.yaml"))
    #expect(Self.paths.contains("sign-out.plist"))
    #expect(Self.paths.contains("calendar.json"))
    for name in ["me.scenarios.yaml", "sign-out.scenarios.plist", "calendar.scenarios.json"] {
      #expect(Self.scenarioPaths.contains(name))
    }
  }

  /// Shipped workflows must be short, so that they are easy to read. Their scenarios are in separate files.
  @Test(arguments: paths)
  func everyWorkflowIsShort(_ path: String) throws {
    let lines = try ProjectFiles.bytes(of: "Workflows/\(path)").split(
      separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    #expect(lines.count - 1 <= 40)
  }

  @Test(arguments: scenarioPaths)
  func theScenariosSchemaAcceptsTheFile(_ path: String) throws {
    let document = try #require(
      DocumentReader.read(try ProjectFiles.bytes(of: "Workflows/\(path)"), named: path).document)
    #expect(SchemaValidator(Workflow.scenariosFileSchema).violations(of: document.root.json) == [])
    #expect(SchemaValidator(Workflow.schema).violations(of: document.root.json) != [])
  }

  @Test(arguments: scenarioPaths)
  func aScenariosFileFindsItsWorkflow(_ path: String) throws {
    let (found, diagnostics) = try Self.read(path)
    let workflow = try #require(found)
    #expect((diagnostics + WorkflowChecks.run(workflow)).map { "\($0.rule): \($0.message)" } == [])
    #expect(workflow.scenarioFileName == "Workflows/\(path)")
    let other = try #require(try Self.read(FilePath.name(of: workflow.document.source.name)).workflow)
    #expect(other.scenarioFileName == workflow.scenarioFileName)
    #expect(other.scenarios.map(\.name) == workflow.scenarios.map(\.name))
  }

  @Test(arguments: paths)
  func aWorkflowHasNoFindings(_ path: String) throws {
    let (found, diagnostics) = try Self.read(path)
    let workflow = try #require(found)
    #expect((diagnostics + WorkflowChecks.run(workflow)).map { "\($0.rule): \($0.message)" } == [])
    #expect(!workflow.scenarios.isEmpty)
  }

  @Test(arguments: paths)
  func theSchemaAcceptsTheWorkflow(_ path: String) throws {
    let document = try #require(
      DocumentReader.read(try ProjectFiles.bytes(of: "Workflows/\(path)"), named: path).document)
    #expect(SchemaValidator(Workflow.schema).violations(of: document.root.json) == [])
  }

  @Test(arguments: paths)
  func rendersDiagrams(_ path: String) throws {
    let diagram = MachineDiagram(try #require(try Self.read(path).workflow))
    #expect(DiagramText.render(diagram).hasPrefix(diagram.title))
    try Self.expectMermaid(DiagramMermaid.render(diagram), of: diagram)
    #expect(DiagramDOT.render(diagram).hasSuffix("}\n"))
    #expect(DiagramSVG.render(diagram).hasSuffix("</svg>\n"))
  }

  /// Tests that the Mermaid text conforms to the grammar and describes the diagram.
  static func expectMermaid(_ text: String, of diagram: MachineDiagram) throws {
    let read = try MermaidStates(text)
    let fails = diagram.transitions.contains { $0.to == .failure }
    #expect(read.states.count == diagram.states.count + (fails ? 1 : 0))
    for (state, parsed) in zip(diagram.states, read.states) where !state.id.contains("\n") {
      #expect(parsed.description.hasPrefix(state.id))
    }
    // The expected count includes the diagram's transitions, the initial transition, and the transitions to and between
    // the steps of `finally`.
    let last = diagram.states.count { $0.role == .finally }
    #expect(read.transitions.count == diagram.transitions.count + 1 + last + (last > 0 && fails ? 1 : 0))
    for (transition, parsed) in zip(diagram.transitions, read.transitions.dropFirst()) {
      #expect(parsed.from == "s\(transition.from)" && parsed.label.hasPrefix(transition.outcomes[0]))
      if case .state(let position) = transition.to { #expect(parsed.to == "s\(position)") }
      if transition.to == .failure { #expect(parsed.to == "failed") }
    }
  }

  static func read(_ path: String) throws -> (workflow: Workflow?, diagnostics: [Diagnostic]) {
    let bytes = try ProjectFiles.bytes(of: "Workflows/\(path)")
    return WorkflowDecoder.read(DocumentReader.read(bytes, named: "Workflows/\(path)")) { other in
      guard let bytes = try? ProjectFiles.bytes(of: other) else {
        return ReadResult(
          document: nil, diagnostics: [Diagnostic(.error, rule: "no-file", "no such file", at: .file(other))])
      }
      return DocumentReader.read(bytes, named: other)
    }
  }
}
