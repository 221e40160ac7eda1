import Documents
import OrderedCollections
import Reports
import TestSupport
import Testing

@Suite struct SequenceDiagramTests {
  @Test func everyDiagramIsInTheGrammar() throws {
    for story in try RecordedRun.cutStories() {
      _ = try MermaidReading(sequence: SequenceMermaid.text(SequenceDiagram(story)))
    }
  }

  @Test func whoSaysWhatToWhom() throws {
    let reading = try MermaidReading(sequence: SequenceMermaid.text(SequenceDiagram(try RecordedRun.story())))
    #expect(
      reading.participants.map(\.title) == [
        "app", "authflow", "browser", "identity platform", "Microsoft Graph", "localhost",
      ])
    let names = Dictionary(uniqueKeysWithValues: reading.participants.map { ($0.id, $0.title) })
    let said = reading.messages.map { "\(names[$0.from] ?? "") \($0.arrow) \(names[$0.to] ?? ""): \($0.text)" }
    #expect(said.contains("authflow ->> identity platform: POST /common/oauth2/v2.0/token (refresh_token)"))
    #expect(said.contains("identity platform --x authflow: no network: the cable is out, 500 ms"))
    #expect(said.contains("identity platform -->> authflow: 400 invalid_grant, 100 ms"))
    #expect(said.contains("browser ->> identity platform: GET /common/oauth2/v2.0/authorize"))
    #expect(said.contains("browser -->> authflow: redirected"))
    #expect(said.contains("Microsoft Graph -->> authflow: 429 TooManyRequests, 30 ms"))
    #expect(said.contains("authflow ->> localhost: BREW /"))
    #expect(said.contains("authflow --x app: callGraph#1: throttled"))
    #expect(reading.notes.contains { $0.text == "given" } && reading.notes.contains { $0.text == "the run" })
    let hostile = try #require(reading.notes.first { $0.text.hasPrefix("access token expired") })
    #expect(
      hostile.text.replacing("\n", with: " ").hasPrefix(
        "access token expired: </td><script>alert(1)</script> | `x` @octocat"))
  }

  @Test(arguments: [
    "", " ", "\n", "wrap: me", "nowrap:", "a;b", "#", "##;", "%%{init: {}}%%", "end", "A->>B: x", "<br/>", "\u{202E}x",
    "\u{0}\u{1B}[31m", "$$x$$", "note over p1", "‹state #1›", "`m`", "\"", "\\n",
  ])
  func anyTextIsText(_ text: String) throws {
    let bytes = """
      {"kind":"run.started","seq":1,"time":"2025-01-01T00:00:00Z","format":2,"tool":"t","platform":"p","name":\(JSON.string(text).text())}
      {"kind":"step.started","seq":2,"time":"2025-01-01T00:00:00Z","step":\(JSON.string(text).text()),"stepKind":"callAPI","rule":"r"}
      {"kind":"decision","seq":3,"time":"2025-01-01T00:00:00Z","subject":\(JSON.string(text).text()),"verdict":"","reason":""}
      {"kind":"http.request","seq":4,"time":"2025-01-01T00:00:00Z","id":1,"from":"app","method":\(JSON.string(text).text()),"url":\(JSON.string(text).text()),"step":\(JSON.string(text).text())}

      """
    let story = try RecordedRun.story(Array(bytes.utf8))
    let reading = try MermaidReading(sequence: SequenceMermaid.text(SequenceDiagram(story)))
    #expect(reading.messages.count == 2)
    for form in RecordedRun.forms.values { #expect(!form(story).isEmpty) }
  }

  @Test func theGrammarIsStrict() {
    for text in [
      "", "sequenceDiagram", "graph TD\n", "sequenceDiagram\n  p1->>p2: x\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: a;b\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: # \n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: <b>\n",
      "sequenceDiagram\n  participant p1 as a\n  p1=>p1: b\n",
      "sequenceDiagram\n  participant end as a\n", "sequenceDiagram\n  participant p1 as a\n  p1->>p1: %%x\n",
      "sequenceDiagram\n  participant p1 as a\n  p1->>p1: \n",
    ] {
      #expect(throws: MermaidReading.Mistake.self, "\(text)") { try MermaidReading(sequence: text) }
    }
  }
}
