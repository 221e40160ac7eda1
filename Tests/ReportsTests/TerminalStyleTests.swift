import Documents
import Reports
import RunTrace
import Testing

/// Tests the line width, colors, and characters of terminal output.
@Suite struct TerminalStyleTests {
  static let sentence =
    "the cached access token for graph.microsoft.com User.Read is valid for another 59 minutes and is returned"

  static let events: [TraceEvent] = [
    TraceFixtures.started("A workflow with a name that does not fit on a narrow terminal"),
    TraceFixtures.step("interactive-fallback"), TraceFixtures.decision(sentence),
    TraceFixtures.decision(sentence + " " + sentence),
    TraceFixtures.finished(
      "interactive-fallback", "userCanceled", verdict: "failed",
      [
        "next": "failure", "rule": .string(sentence), "shows": .string(sentence), "broken": [.string(sentence)],
        "error": ["msal": "userCanceled", "code": "AADSTS50126", "description": .string(sentence)],
      ]), TraceFixtures.ended("userCanceled", ["reason": .string(sentence)]),
  ]

  @Test(arguments: [40, 41, 80, 200]) func wrapsAtTheTerminalWidth(width: Int) {
    let lines = TraceFixtures.output(Self.events, width: width).split(separator: "\n", omittingEmptySubsequences: false)
    // Lines with names and numbers, and the last line, do not wrap.
    let numbers = lines.filter { $0.hasPrefix("✗ ") || $0.hasPrefix("userCanceled  ") }
    #expect(numbers.count == 2)
    #expect(lines.allSatisfy { $0.count <= width || numbers.contains($0) }, "\(lines.filter { $0.count > width })")
    let body = lines.filter { $0.hasPrefix("    ") || $0.hasPrefix("  ") || $0.hasPrefix("the ") }
    #expect(body.count > 5)
    #expect(body.allSatisfy { $0.count <= width }, "\(body.filter { $0.count > width })")
    if width <= 80 { #expect(body.contains { $0.count > width - 20 }, "lines are filled") }
    let joined = body.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(joined.contains(Self.sentence), "nothing is lost")
  }

  @Test func usesAtLeastFortyColumns() {
    #expect(TraceFixtures.output(Self.events, width: 10) == TraceFixtures.output(Self.events, width: 40))
  }

  @Test func omitsEscapeSequencesWithoutColor() {
    #expect(!TraceFixtures.output(Self.events).contains("\u{1B}"))
  }

  @Test(arguments: [40, 80]) func colorDoesNotChangeTheText(width: Int) {
    let colored = TraceFixtures.output(Self.events, width: width, color: true)
    #expect(colored.contains("\u{1B}[31;1m"))
    var plain = ""
    var rest = colored[...]
    while let escape = rest.firstRange(of: "\u{1B}[") {
      plain += rest[..<escape.lowerBound]
      rest = rest[escape.upperBound...].drop { $0 != "m" }.dropFirst()
    }
    #expect(plain + rest == TraceFixtures.output(Self.events, width: width))
  }

  @Test func resetsColorsOnEachLine() {
    for line in TraceFixtures.output(Self.events, color: true).split(separator: "\n") {
      let resets = line.split(separator: "\u{1B}[0m", omittingEmptySubsequences: false).count - 1
      let escapes = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).count - 1
      #expect(escapes == 2 * resets, "\(line.debugDescription)")
    }
  }

  @Test func usesOnlyASCIIWithoutUnicode() {
    let events =
      Self.events + [
        TraceFixtures.finished("a", "success"), TraceFixtures.finished("b", "skipped", verdict: "skipped"),
        TraceFixtures.finished("c", "notFound", verdict: "handled", ["rule": "default of c: notFound → fallback"]),
      ]
    let text = TraceFixtures.output(events, unicode: false)
    #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
    for line in ["x interactive-fallback", "+ a", "- b", "> c"] { #expect(text.contains("\n\(line)"), "\(line)") }
    #expect(text.contains("-> failure"))
  }

  static let hostile = "evil\u{1B}[2J\u{1B}]0;title\u{7}\r\n\u{8}\u{202E}txt\u{0}\u{9B}31m"

  @Test(arguments: [false, true]) func hostileTextCannotMoveTheCursor(color: Bool) {
    let text = JSON.string(Self.hostile)
    let events = [
      TraceFixtures.event(.runStarted, ["name": text, "file": text, "platform": text]),
      TraceFixtures.step(Self.hostile), TraceFixtures.decision(Self.hostile),
      TraceFixtures.event(.interaction, ["ending": text, "screens": [text]]),
      TraceFixtures.event(.tokenAcquired, ["source": text, "scopes": [text], "expiresOn": text]),
      TraceFixtures.event(.httpRequest, ["from": text, "method": text, "url": text]),
      TraceFixtures.event(.httpResponse, ["failure": text]), TraceFixtures.event(.cacheRead, ["reason": text]),
      TraceFixtures.event(
        .stepFinished,
        [
          "step": text, "outcome": text, "verdict": "failed", "next": text, "rule": text, "shows": text,
          "broken": [text], "error": ["msal": text, "code": text, "description": text],
        ]), TraceFixtures.event(.runFinished, ["outcome": text, "path": [], "reason": text]),
    ]
    let output = TraceFixtures.output(events, color: color, detail: .verbose)
    #expect(output.contains("evil"))
    for scalar in output.unicodeScalars where scalar != "\n" {
      let isColorEscape = color && scalar == "\u{1B}"
      #expect(
        isColorEscape || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x202E),
        "U+\(String(scalar.value, radix: 16))")
    }
    #expect(!output.contains("\u{1B}[2J") && !output.contains("\u{1B}]0"))
  }

  @Test(arguments: [("日本語", 6), ("e\u{301}e\u{301}", 2), ("가나다", 6), ("abc", 3)])
  func wideCharactersTakeTwoColumns(word: String, columns: Int) {
    let line = Array(repeating: word, count: 100).joined(separator: " ")
    let lines = TraceFixtures.output([TraceFixtures.decision(line), TraceFixtures.finished("a", "success")], width: 60)
      .split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.split(separator: " ").count }
    // Continuation lines have a hanging indent, and the first line starts with the subject.
    #expect(lines.count > 2)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0 == (60 - 6 + 1) / (columns + 1) }, "\(lines)")
  }

  @Test func doesNotBreakLongWords() {
    let key = String(repeating: "k", count: 150)
    #expect(
      TraceFixtures.output(
        [TraceFixtures.decision("the key is \(key)"), TraceFixtures.finished("a", "success")], width: 40
      ).contains(key)
    )
  }

  @Test func incompleteEventsDoNotAffectLaterOutput() {
    for kind in TraceEvent.Kind.allCases {
      var report = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 80), detail: .verbose)
      _ = report.text(of: TraceFixtures.event(kind, [:]))
      _ = report.text(of: TraceFixtures.finished("a", "success"))
      #expect(report.text(of: TraceFixtures.finished("b", "success")).hasPrefix("✓ b  success"))
    }
  }
}
