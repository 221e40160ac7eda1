import Diagnostics
import Documents
import Reports
import TestSupport
import Testing

import WorkflowModel

/// Compares diagrams in all formats with golden files, because other programs also read these formats.
///
/// `UPDATE_GOLDEN=1 swift test --filter DiagramTests` rewrites the files. Review the result.
@Suite struct DiagramTests {
  static let everything =
    head + """
      name: Everything at once
      steps:
        - loadAccount
        - silent: {scopes: [User.Read]}
        - interactive-fallback
        - id: code
          deviceCode: {}
          when: fallback
        - callGraph: /me
          on: {notFound: pause, forbidden: fail, throttled: end, offline: callGraph}
        - id: pause
          wait: 30s
          maxRuns: 3
          on: {success: callGraph, exhausted: both}
        - id: both
          parallel: [{callGraph: /me/photo/$value}, {callGraph: /me/events}]
        - assert: {silent.tokenSource: cache}
          when: {callGraph.status: 200}
          on: {violated: silent}
      finally:
        - signout
      """

  @Test(arguments: ["txt", "mermaid", "dot", "svg"])
  func matchesTheGoldenFile(_ format: String) throws {
    let (workflow, diagnostics) = readWorkflow(Self.everything)
    #expect(diagnostics.map(\.message) == [])
    let diagram = MachineDiagram(try #require(workflow))
    let text =
      switch format {
      case "txt": DiagramText.render(diagram)
      case "mermaid": DiagramMermaid.render(diagram)
      case "dot": DiagramDOT.render(diagram)
      default: DiagramSVG.render(diagram)
      }
    let path = "Tests/Golden/machine.\(format)"
    if ProjectFiles.updatesGoldenFiles { try ProjectFiles.write(text, to: path) }
    let golden = String(decoding: try ProjectFiles.bytes(of: path), as: UTF8.self)
    #expect(text == golden)
  }

  @Test func mermaidOutputFollowsTheGrammar() throws {
    let diagram = MachineDiagram(try #require(readWorkflow(Self.everything).0))
    try ShippedWorkflowTests.expectMermaid(DiagramMermaid.render(diagram), of: diagram)
    let text = try MermaidStates(DiagramMermaid.render(diagram))
    #expect(text.title == "Everything at once")
    #expect(text.classes["fallback"]?.count == 2)
  }

  @Test(arguments: [
    "", "stateDiagram-v2\n", "---\ntitle: x\n---\nstateDiagram-v2\n", "---\ntitle: \"<b>\"\n---\nstateDiagram-v2\n",
    "  s0 --> s1\n", "  state \"a\" as end\n", "  state \"a\nb\" as s0\n", "  state \"a\" as s0\n  s0 --> [*]: a;b\n",
    "  state \"a\" as s0\n  s0 --> [*]: #\n", "  state \"a\" as s0\n  class s0 nothing\n",
    "  state \"a\" as s0\n  s0 -> s0\n",
    "  state \"a\" as s0\n  state \"b\" as s0\n", "  state \"a\" as s0\n  s0 --> s0: %%x\n",
  ])
  func mermaidParserRejectsInvalidText(text: String) {
    let document = text.hasPrefix("  ") ? "---\ntitle: \"t\"\n---\nstateDiagram-v2\n\(text)" : text
    #expect(throws: MermaidSequence.ParseError.self) { try MermaidStates(document) }
  }

  /// A report must be able to create the diagram from the JSON in the trace.
  @Test func aDiagramRoundTripsThroughJSON() throws {
    let diagram = MachineDiagram(try #require(readWorkflow(Self.everything).0))
    #expect(DiagramJSON.diagram(DiagramJSON.json(diagram)) == diagram)
    #expect(DiagramJSON.diagram(nil) == nil && DiagramJSON.diagram([]) == nil)
    let states: JSON = [["id": "a"], ["id": "b"]]
    for transitions: JSON in [[["from": "a", "to": "c"]], [["from": "c", "to": "a"]], [["from": 1]], [7]] {
      #expect(DiagramJSON.diagram(["states": states, "transitions": transitions]) == nil)
    }
    #expect(DiagramJSON.diagram(["states": [["id": "a"], ["id": "a"]], "transitions": []]) == nil)
  }

  @Test func transitionsSkipFallbacks() throws {
    let diagram = MachineDiagram(try workflow(MachineTests.five))
    let fromSilent = diagram.transitions.filter { $0.from == 1 }
    #expect(fromSilent.map(\.to) == [.state(3), .state(2), .failure])
    #expect(fromSilent.map(\.sort) == [.next, .fallback, .failure])
    #expect(fromSilent[0].outcomes == ["success"])
    #expect(!diagram.transitions.contains { $0.outcomes.contains("skipped") })
  }

  @Test func aDetourHasASeparateTransition() throws {
    let diagram = MachineDiagram(try workflow(MachineTests.five))
    let detour = try #require(diagram.transitions.first { $0.sort == .detour })
    #expect(diagram.states[detour.from].id == "callGraph")
    #expect(detour.to == .state(1))
    #expect(detour.outcomes == ["claimsChallenge"])
  }

  /// The `invalidParameter` outcome of calls is excluded, because only unresolved values cause it.
  @Test func everyOutcomeAppearsInExactlyOneTransition() throws {
    let flow = try workflow(MachineTests.five)
    let diagram = MachineDiagram(flow)
    for (position, step) in flow.steps.enumerated() {
      let drawn = diagram.transitions.filter { $0.from == position }.flatMap(\.outcomes)
      let expected = step.outcomes.map(\.name).filter { name in
        name.isPerformed && !(name == .invalidParameter && step.kind.key == "callGraph")
      }
      #expect(drawn.sorted() == expected.map(\.rawValue).sorted())
    }
  }

  @Test func theSVGIsWellFormedAndAccessible() throws {
    let svg = DiagramSVG.render(MachineDiagram(try workflow(MachineTests.five, #""name": "A & B""#)))
    #expect(svg.contains("role=\"img\""))
    #expect(svg.contains("<title id=\"machine-title\">A &amp; B</title>"))
    #expect(svg.contains("loadAccount: found continues with silent."))
    #expect(svg.contains("prefers-color-scheme: dark"))
    let opened = svg.matches(of: /<([a-z]+)(?: [^>]*[^\/>])?>/).map { String($0.1) }
    let closed = svg.matches(of: /<\/([a-z]+)>/).map { String($0.1) }
    #expect(opened.sorted() == closed.sorted())
  }
}
