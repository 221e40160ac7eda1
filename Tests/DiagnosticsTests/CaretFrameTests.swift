import Diagnostics
import Testing

@Suite struct CaretFrameTests {
  let frame = CaretFrame(color: false, width: 60)

  @Test func marksTheExactRange() {
    let source = SourceText(name: "me.yaml", text: "steps:\n  - slient\n")
    let diagnostic = Diagnostic(
      .error, rule: "unknown-kind", "unknown step `slient`", help: "did you mean `silent`?",
      at: FileSpan(source, SourceSpan(start: 11, end: 17)))
    #expect(
      frame.render(diagnostic) == """
        me.yaml:2:5: error: unknown step `slient` [unknown-kind]
          2 |   - slient
            |     ^^^^^^
          help: did you mean `silent`?

        """)
  }

  @Test(arguments: [
    ("TestServerClientSecret: hunter2", "TestServerClientSecret: •••••••"),
    ("testserverclientsecrt = hunter2", "testserverclientsecrt = •••••••"),
    ("testserverclient = hunter2", "testserverclient = hunter2"),
    ("  pasword: hunter2", "  pasword: •••••••"),
    ("mfa: {totpp: JBSWY3DP}", "mfa: {totpp: •••••••••"),
    ("mfa: {totp: '${secret:SEED}'}", "mfa: {totp: '${secret:SEED}'}"),
    ("x: eyJhbGciOiJub25lIn0.eyJub3RlIjoiaHVudGVyMiJ9", "x: ••••••••••••••••••••••••••••••••••••••••••••"),
    ("keys: eyJustAName.of.something", "keys: eyJustAName.of.something"),
    (#"{"clientSecret": "hunter2", "a": 1}"#, #"{"clientSecret": "••••••••• •••• ••"#),
    ("  - { username: megan, passwort: hunter2 }", "  - { username: megan, passwort: ••••••• •"),
    ("password = hunter2", "password = •••••••"),
    ("password: ${secret:PW}", "password: ${secret:PW}"),
    ("secretary: x", "secretary: •"),
    ("the secret is out", "the secret is out"),
  ])
  func masksSecrets(line: String, shown: String) {
    let source = SourceText(name: "s.yaml", text: line)
    let text = frame.render(Diagnostic(.error, rule: "r", "m", at: FileSpan(source, SourceSpan(start: 2, end: 4))))
    #expect(text.contains("1 | \(shown)\n"), "\(text)")
    #expect(text.contains("    |   ^^\n"))
  }

  /// `shown` is the last line of the frame.
  @Test(arguments: [
    ("<key>ClientSecret</key>\n<string>hunter2</string>", "<string>••••••••••••••••"),
    ("<key>ClientSecret</key><string>hunter2</string>", "<key>ClientSecret</key><string>••••••••••••••••"),
    ("<key>ClientSecret</key>\r\n\r\n\t<string>hunter2</string>", "\t<string>••••••••••••••••"),
    ("<key>ClientSecret</key>\n<data>\nhunter2\nhunter3", "•••••••"),
    ("<key>ClientSecret</key>\n<string>$(SECRET)</string>", "<string>$(SECRET)</string>"),
    ("<key>ClientSecret</key>\n<string>x</string>\n<key>AppId</key>", "<key>AppId</key>"),
    ("<key>ClientSecret</key>\n<true/>", "<true/>"),
    ("{\"clientSecret\":\n  \"hunter2\"}", "  \"•••••••••"),
    ("clientSecret:\n  hunter2", "  •••••••"),
    ("clientSecret: |\n  hunter2\n\n  hunter3", "  •••••••"),
    ("clientSecret: |\n  hunter2\nappId: x", "appId: x"),
    ("passwordPolicy:\n  days: 3", "  days: 3"),
    ("\"passwordCredentials\": [\n  {", "  {"),
    ("clientSecret: x\nappId: y", "appId: y"),
    ("{ ClientSecret =\n  \"hunter2\"; }", "  \"••••••••• •"),
  ])
  func masksASecretBelowItsKey(text: String, shown: String) {
    let source = SourceText(name: "s", text: text)
    let end = text.utf8.count
    let rendered = frame.render(Diagnostic(.error, rule: "r", "m", at: FileSpan(source, .at(end))))
    #expect(rendered.contains(" | \(shown)\n"), "\(rendered)")
  }

  @Test func alignsCaretsWithWideCharactersAndTabs() {
    let source = SourceText(name: "t", text: "\t名前: x")
    let start = "\t名前: ".utf8.count
    let text = frame.render(
      Diagnostic(.warning, rule: "r", "m", at: FileSpan(source, SourceSpan(start: start, end: start + 1))))
    #expect(text.contains("    | \t      ^\n"))
  }

  @Test func shortensALongLineAroundTheRange() throws {
    let source = SourceText(
      name: "t", text: String(repeating: "x", count: 5_000_000) + "HERE" + String(repeating: "y", count: 5_000_000))
    let text = frame.render(
      Diagnostic(.error, rule: "r", "m", at: FileSpan(source, SourceSpan(start: 5_000_000, end: 5_000_004))))
    let lines = text.split(separator: "\n")
    #expect(lines[1].count < 80)
    let caret = try #require(lines[2].firstIndex(of: "^"))
    let column = lines[2].distance(from: lines[2].startIndex, to: caret)
    #expect(lines[1].dropFirst(column).hasPrefix("HERE"))
  }

  /// For every width and range, no row is too wide, each omission is marked once, and the carets are under the range.
  @Test(arguments: [40, 60, 80, 120], [(0, 5), (0, 300), (90, 8), (150, 90), (196, 4), (60, 200)])
  func fitsTheWidthOfTheTerminal(width: Int, range: (start: Int, length: Int)) throws {
    let text = String(repeating: "ab名d", count: 100).prefix(range.start + range.length + 40)
    let start = text.prefix(range.start).utf8.count
    let length = text.dropFirst(range.start).prefix(range.length).utf8.count
    let source = SourceText(name: "t", text: String(text))
    let rows = CaretFrame(color: false, width: width)
      .excerpt(at: FileSpan(source, SourceSpan(start: start, end: start + length))).split(separator: "\n")
    #expect(rows.count == 2)
    #expect(rows.allSatisfy { DisplayWidth.of($0) <= width }, "\(rows)")
    #expect(!rows[0].contains("……"))
    let caret = try #require(rows[1].firstIndex(of: "^"))
    let column = DisplayWidth.of(rows[1][..<caret])
    var columns = 0
    let under = rows[0].drop { character in
      columns += DisplayWidth.of(character)
      return columns <= column
    }
    let shown = text.dropFirst(range.start).prefix(min(range.length, 10))
    #expect(under.hasPrefix(shown), "\(rows)")
  }

  @Test func escapesControlCharacters() {
    let source = SourceText(name: "evil\u{1B}[31m", text: "a\u{1B}]0;title\u{7}b")
    let text = frame.render(
      Diagnostic(
        .error, rule: "r", "message \u{1B}[2J and \u{202E}gnirts", at: FileSpan(source, SourceSpan(start: 0, end: 1))))
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{7}"))
    #expect(!text.contains("\u{202E}"))
  }

  @Test func showsBothLocationsOfADuplicate() {
    let source = SourceText(name: "t", text: "a: 1\na: 2\n")
    let text = frame.render(
      Diagnostic(
        .error, rule: "duplicate-key", "twice", at: FileSpan(source, SourceSpan(start: 5, end: 6)),
        related: [.init("first key is here", at: FileSpan(source, SourceSpan(start: 0, end: 1)))]))
    #expect(text.contains("t:2:1: error: twice [duplicate-key]"))
    #expect(text.contains("t:1:1: note: first key is here"))
  }

  @Test func omitsTheExcerptOfAnEmptyFile() {
    let text = frame.render(
      Diagnostic(.error, rule: "r", "empty", at: FileSpan(SourceText(name: "t", text: ""), .at(0))))
    #expect(text == "t:1:1: error: empty [r]\n")
  }

  @Test func sortsByFileAndLocation() {
    let first = SourceText(name: "b", text: "xxxx")
    let second = SourceText(name: "a", text: "xxxx")
    let diagnostics = [
      Diagnostic(.error, rule: "r", "2", at: FileSpan(first, .at(2))),
      Diagnostic(.error, rule: "r", "3", at: FileSpan(second, .at(0))),
      Diagnostic(.error, rule: "r", "1", at: FileSpan(first, .at(1))),
    ]
    #expect(diagnostics.inReadingOrder().map(\.message) == ["1", "2", "3"])
  }
}
