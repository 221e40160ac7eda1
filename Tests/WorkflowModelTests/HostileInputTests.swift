import Diagnostics
import Documents
import Reports
import Testing

import WorkflowModel

/// Tests that malicious documents are accepted or rejected without a crash and in limited time.
@Suite struct HostileInputTests {
  @Test(arguments: [
    "", "authflow: 1", "authflow:\nsteps:", "authflow: 1\nsteps: {}", "authflow: 1\nsteps: [null, ~, '', 0, [], {}]",
    "authflow: 1\nsteps: [{silent: [1, 2]}, {? [a] : b}]", "authflow: 1\nsteps: [{1: 2}, {true: false}, {null: null}]",
    "authflow: 1\nsteps: [{id: {}, silent: {}}, {id: [], wait: 1s}]",
    "authflow: 1\nsteps: [{silent: {scopes: {a: b}}}]",
    "authflow: 1\nsteps: [{silent: {}, on: [a], expect: 3, capture: x, retry: [], when: 5, user: 5, tags: {}}]",
    "authflow: 1\nsteps: [silent]\nscenarios: [a, b]",
    "authflow: 1\nsteps: [silent]\nscenarios: {a: 3, b: [c], 7: {matrix: {}}}",
    "authflow: 1\nsteps: [silent]\nscenarios: {a: {matrix: [], given: 5, expect: 3, inputs: 3, user: []}}",
    "authflow: 1\nsteps: [silent]\nuser: []\ninputs: []\nclients: 3\ndirectory: []\nplatform: {replay: 3}",
    "authflow: 1\nsteps: [{use: {workflow: '', with: 3}}, {use: [x]}, {use: '/'}]",
    "authflow: 1\nsteps: [{parallel: {a: b}}, {parallel: [{parallel: [silent]}]}]",
    "authflow: 1\nsteps: [{callGraph: {batch: {}}}, {callGraph: {get: {}, body: 3, query: [1], headers: {a: {b: c}}}}]",
    "authflow: 1\nsteps: [{simulate: {}}, {simulate: [[]]}, {simulate: {fault: reset}}, {simulate: [{signedIn: [a]}]}]",
    "authflow: 1\nsteps: [{assert: {'': 1, '.': 2, 'a..b': 3, '$': 4, '$$': 5, '[1]': 6, 'a[0]': 7, 'a[x]': 8, 'a#b': 9, '/': 1}}]",
  ])
  func isReportedWithoutCrash(_ text: String) {
    let (workflow, diagnostics) = readWorkflow(text)
    if let workflow { _ = WorkflowChecks.run(workflow) }
    #expect(diagnostics.contains { $0.severity == .error } || workflow == nil)
    // Every diagnostic can be rendered.
    _ = CaretFrame(color: false).render(diagnostics)
  }

  @Test func acceptsDeeplyNestedBodies() throws {
    let depth = 400
    let body = String(repeating: "[", count: depth) + "\"${x}\"" + String(repeating: "]", count: depth)
    let flow = try workflow("[{\"callGraph\": {\"post\": \"/x\", \"body\": \(body)}}]", #""inputs": {"x": {}}"#)
    _ = WorkflowChecks.run(flow)
    guard case .callGraph(let call) = flow.steps[0].action, case .json(let json)? = call.request.body else {
      Issue.record("no body")
      return
    }
    #expect(try json.resolved(in: ValueScope(names: flow.inputValues()))?.array != nil)
  }

  @Test func acceptsDeeplyNestedMatchers() throws {
    let depth = 300
    let matcher = String(repeating: "{\"not\": ", count: depth) + "1" + String(repeating: "}", count: depth)
    let flow = try workflow("[{\"listAccounts\": {}, \"expect\": {\"$\": \(matcher)}}]")
    let context = EvaluationContext(facts: StepFacts(), scope: ValueScope(), stepIDs: [])
    #expect(try flow.steps[0].expect[0].evaluate(context, own: ["$": 1]).holds)
  }

  /// Tests the maximum number of steps, with many transitions, captures, and conditions.
  @Test func checksAWorkflowWithTheMaximumNumberOfSteps() throws {
    let count = Workflow.stepLimit
    let steps = (0..<count).map { index in
      #"{"id": "s\#(index)", "silent": {}, "when": {"c\#(index / 2)": 1}, "capture": {"c\#(index)": "$.x"}, "on": {"error": "s\#((index * 7) % count)", "success": "s\#((index + 2) % count)"}}"#
    }
    let flow = try workflow("[\(steps.joined(separator: ","))]")
    #expect(flow.steps.count == count)
    // If the work on sets of names were quadratic, this test would take minutes.
    _ = WorkflowChecks.run(flow)
    #expect(MachineDiagram(flow).states.count == count)
  }

  @Test func rejectsTooManySteps() {
    let steps = Array(repeating: "silent", count: Workflow.stepLimit + 1).joined(separator: ", ")
    let (_, diagnostics) = readWorkflow("authflow: 1\nsteps: [\(steps)]")
    #expect(diagnostics.map(\.rule).contains("too-many-steps"))
    #expect(diagnostics.count < 5)
  }

  /// Each file uses the next file twenty times, but every file is read only once.
  @Test func readsEachNestedWorkflowOnce() {
    var files: [String: String] = [:]
    for level in 0..<14 {
      let uses = (0..<20).map { "{id: u\($0), use: w\(level + 1).yaml}" }.joined(separator: ", ")
      files["w\(level).yaml"] = "authflow: 1\nsettings: S.plist\nsteps: [\(uses)]"
    }
    files["w14.yaml"] = "authflow: 1\nsettings: S.plist\nsteps: [listAccounts]"
    let (flow, diagnostics) = readWorkflow(files["w0.yaml"] ?? "", named: "w0.yaml", files: files)
    #expect(diagnostics.map(\.message) == [])
    #expect(flow.map { WorkflowChecks.run($0).count } == 0)
  }

  @Test func reportsCyclesOfNestedWorkflows() {
    let files = ["a.yaml": "authflow: 1\nsteps: [use: b.yaml]", "b.yaml": "authflow: 1\nsteps: [use: ./x/../a.yaml]"]
    let (_, diagnostics) = readWorkflow(files["a.yaml"] ?? "", named: "a.yaml", files: files)
    #expect(diagnostics.map(\.message).contains("workflow uses itself: a.yaml → b.yaml → a.yaml"))
  }

  @Test func rejectsHugeMatrices() {
    let axis = "[\((0..<200).map(String.init).joined(separator: ", "))]"
    let (_, diagnostics) = readWorkflow(
      head
        + "inputs: {a: {type: integer}, b: {type: integer}}\nsteps: [listAccounts]\nscenarios: {s: {matrix: {a: \(axis), b: \(axis)}}}"
    )
    #expect(diagnostics.map(\.rule) == ["matrix-size"])
  }

  @Test func escapesNamesInDiagrams() throws {
    let evil = #"\"]; --> <script>alert(1)</script> & ]]> %%{init}%% \n \u0007 \u202E -->"#
    let flow = try workflow(
      #"[{"callGraph": "/\#(evil)"}, {"callAPI": "https://x/<b>"}]"#, #""name": "\#(evil)""#)
    let diagram = MachineDiagram(flow)
    let svg = DiagramSVG.render(diagram)
    #expect(!svg.contains("<script"))
    #expect(!svg.contains("<b>"))
    #expect(!svg.unicodeScalars.contains("\u{7}"))
    let reading = DocumentReader.read(Array(svg.utf8), named: "x.svg")
    #expect(reading.document == nil || !svg.contains("]]>"))
    let mermaid = DiagramMermaid.render(diagram)
    #expect(!mermaid.contains("<script"))
    try ShippedWorkflowTests.expectMermaid(mermaid, of: diagram)
    let dot = DiagramDOT.render(diagram)
    for line in dot.split(separator: "\n") where line.contains("label=") {
      #expect(line.replacing("\\\\", with: "").replacing("\\\"", with: "").count { $0 == "\"" }.isMultiple(of: 2))
    }
    let text = DiagramText.render(diagram)
    #expect(!text.unicodeScalars.contains("\u{7}") && !text.unicodeScalars.contains("\u{202E}"))
  }

  @Test func joinsFilePaths() {
    #expect(FilePath.join("Workflows", "x.yaml") == "Workflows/x.yaml")
    #expect(FilePath.join("", "x.yaml") == "x.yaml")
    #expect(FilePath.join("a/b", "../c.yaml") == "a/c.yaml")
    #expect(FilePath.join("a", "../../c.yaml") == "../c.yaml")
    #expect(FilePath.join("a", "/c.yaml") == "/c.yaml")
    #expect(FilePath.join("/a/b", "../../../c.yaml") == "/c.yaml")
    #expect(FilePath.join("a", "./b/./c.yaml") == "a/b/c.yaml")
    #expect(FilePath.folder(of: "/x.yaml") == "/")
    #expect(FilePath.folder(of: "x.yaml") == "")
  }
}
