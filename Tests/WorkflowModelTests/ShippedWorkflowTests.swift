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
    #expect(DiagramMermaid.render(diagram).contains("[*] --> s0"))
    #expect(DiagramDOT.render(diagram).hasSuffix("}\n"))
    #expect(DiagramSVG.render(diagram).hasSuffix("</svg>\n"))
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
