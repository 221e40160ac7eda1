import Documents
import OrderedCollections
import Reports
import TestSupport
import Testing

@Suite struct SequenceDiagramTests {
  @Test func diagramsMatchTheGrammar() throws {
    for run in try RecordedRun.truncatedRuns() {
      _ = try MermaidSequence(sequence: SequenceMermaid.text(SequenceDiagram(run)))
    }
  }

  @Test func showsSendersReceiversAndMessages() throws {
    let diagram = try MermaidSequence(sequence: SequenceMermaid.text(SequenceDiagram(try RecordedRun.run())))
    #expect(
      diagram.participants.map(\.title) == [
        "app", "authflow", "browser", "identity platform", "Microsoft Graph", "localhost",
      ])
    let names = Dictionary(uniqueKeysWithValues: diagram.participants.map { ($0.id, $0.title) })
    let messages = diagram.messages.map { "\(names[$0.from] ?? "") \($0.arrow) \(names[$0.to] ?? ""): \($0.text)" }
    #expect(messages.contains("authflow ->> identity platform: POST /common/oauth2/v2.0/token (refresh_token)"))
    #expect(messages.contains("identity platform --x authflow: no network: the cable is out, 500 ms"))
    #expect(messages.contains("identity platform -->> authflow: 400 invalid_grant, 100 ms"))
    #expect(messages.contains("browser ->> identity platform: GET /common/oauth2/v2.0/authorize"))
    #expect(messages.contains("browser -->> authflow: redirected"))
    #expect(messages.contains("Microsoft Graph -->> authflow: 429 TooManyRequests, 30 ms"))
    #expect(messages.contains("authflow ->> localhost: BREW /"))
    #expect(messages.contains("authflow --x app: callGraph#1: throttled"))
    #expect(diagram.notes.contains { $0.text == "given" } && diagram.notes.contains { $0.text == "the run" })
    let hostile = try #require(diagram.notes.first { $0.text.hasPrefix("access token expired") })
    #expect(
      hostile.text.replacing("\n", with: " ").hasPrefix(
        "access token expired: </td><script>alert(1)</script> | `x` @octocat"))
  }

  @Test(arguments: [
    "", " ", "\n", "wrap: me", "nowrap:", "a;b", "#", "##;", "%%{init: {}}%%", "end", "A->>B: x", "<br/>", "\u{202E}x",
    "\u{0}\u{1B}[31m", "$$x$$", "note over p1", "‹state #1›", "`m`", "\"", "\\n",
  ])
  func escapesAnyText(_ text: String) throws {
    let bytes = """
      {"kind":"run.started","seq":1,"time":"2025-01-01T00:00:00Z","format":2,"tool":"t","platform":"p","name":\(JSON.string(text).text())}
      {"kind":"step.started","seq":2,"time":"2025-01-01T00:00:00Z","step":\(JSON.string(text).text()),"stepKind":"callAPI","rule":"r"}
      {"kind":"decision","seq":3,"time":"2025-01-01T00:00:00Z","subject":\(JSON.string(text).text()),"verdict":"","reason":""}
      {"kind":"http.request","seq":4,"time":"2025-01-01T00:00:00Z","id":1,"from":"app","method":\(JSON.string(text).text()),"url":\(JSON.string(text).text()),"step":\(JSON.string(text).text())}

      """
    let run = try RecordedRun.run(Array(bytes.utf8))
    let diagram = try MermaidSequence(sequence: SequenceMermaid.text(SequenceDiagram(run)))
    #expect(diagram.messages.count == 2)
    for format in RecordedRun.formats.values { #expect(!format(run).isEmpty) }
  }

  @Test func theGrammarRejectsInvalidDiagrams() {
    for text in [
      "", "sequenceDiagram", "graph TD\n", "sequenceDiagram\n  p1->>p2: x\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: a;b\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: # \n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: <b>\n",
      "sequenceDiagram\n  participant p1 as a\n  p1=>p1: b\n",
      "sequenceDiagram\n  participant end as a\n", "sequenceDiagram\n  participant p1 as a\n  p1->>p1: %%x\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: \n",
    ] {
      #expect(throws: MermaidSequence.ParseError.self, "\(text)") { try MermaidSequence(sequence: text) }
    }
  }
}
