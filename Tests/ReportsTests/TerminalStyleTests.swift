import Documents
import Reports
import RunTrace
import Testing

/// The same story on every kind of terminal, and whatever stands in it.
@Suite struct TerminalStyleTests {
  static let words =
    "the cached access token for graph.microsoft.com User.Read is good for 59 minutes more and is handed out"

  static let story: [TraceEvent] = [
    Happened.started("A workflow with a name that is rather long for what it does"),
    Happened.step("interactive-fallback"), Happened.decided(words), Happened.decided(words + " " + words),
    Happened.finished(
      "interactive-fallback", "userCanceled", verdict: "failed",
      [
        "next": "failure", "rule": .string(words), "shows": .string(words), "broken": [.string(words)],
        "error": ["msal": "userCanceled", "code": "AADSTS50126", "description": .string(words)],
      ]), Happened.ended("userCanceled", ["reason": .string(words)]),
  ]

  @Test(arguments: [40, 41, 80, 200]) func wordsAreWrappedAtTheTerminalsWidth(width: Int) {
    let lines = Happened.told(Self.story, width: width).split(separator: "\n", omittingEmptySubsequences: false)
    // The lines of names and numbers, a step's own and the last, are never broken.
    let numbers = lines.filter { $0.hasPrefix("✗ ") || $0.hasPrefix("userCanceled  ") }
    #expect(numbers.count == 2)
    #expect(lines.allSatisfy { $0.count <= width || numbers.contains($0) }, "\(lines.filter { $0.count > width })")
    let body = lines.filter { $0.hasPrefix("    ") || $0.hasPrefix("  ") || $0.hasPrefix("the ") }
    #expect(body.count > 5)
    #expect(body.allSatisfy { $0.count <= width }, "\(body.filter { $0.count > width })")
    if width <= 80 { #expect(body.contains { $0.count > width - 20 }, "lines are filled") }
    let joined = body.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(joined.contains(Self.words), "nothing is lost")
  }

  @Test func narrowTerminalsAreTreatedAsFortyColumns() {
    #expect(Happened.told(Self.story, width: 10) == Happened.told(Self.story, width: 40))
  }

  @Test func withoutColorThereIsNoEscape() {
    #expect(!Happened.told(Self.story).contains("\u{1B}"))
  }

  @Test(arguments: [40, 80]) func colorChangesNothingButColor(width: Int) {
    let colored = Happened.told(Self.story, width: width, color: true)
    #expect(colored.contains("\u{1B}[31;1m"))
    var plain = ""
    var rest = colored[...]
    while let escape = rest.firstRange(of: "\u{1B}[") {
      plain += rest[..<escape.lowerBound]
      rest = rest[escape.upperBound...].drop { $0 != "m" }.dropFirst()
    }
    #expect(plain + rest == Happened.told(Self.story, width: width))
  }

  @Test func everyColorIsPutBackAtTheLinesEnd() {
    for line in Happened.told(Self.story, color: true).split(separator: "\n") {
      let resets = line.split(separator: "\u{1B}[0m", omittingEmptySubsequences: false).count - 1
      let escapes = line.split(separator: "\u{1B}[", omittingEmptySubsequences: false).count - 1
      #expect(escapes == 2 * resets, "\(line.debugDescription)")
    }
  }

  @Test func withoutUnicodeEverySignIsASCII() {
    let events =
      Self.story + [
        Happened.finished("a", "success"), Happened.finished("b", "skipped", verdict: "skipped"),
        Happened.finished("c", "notFound", verdict: "handled", ["rule": "default of c: notFound → fallback"]),
      ]
    let text = Happened.told(events, unicode: false)
    #expect(text.utf8.allSatisfy { $0 < 0x80 }, "\(text)")
    for line in ["x interactive-fallback", "+ a", "- b", "> c"] { #expect(text.contains("\n\(line)"), "\(line)") }
    #expect(text.contains("-> failure"))
  }

  static let hostile = "evil\u{1B}[2J\u{1B}]0;title\u{7}\r\n\u{8}\u{202E}txt\u{0}\u{9B}31m"

  @Test(arguments: [false, true]) func hostileTextMovesNoCursor(color: Bool) {
    let text = JSON.string(Self.hostile)
    let events = [
      Happened.event(.runStarted, ["name": text, "file": text, "platform": text]),
      Happened.step(Self.hostile), Happened.decided(Self.hostile),
      Happened.event(.interaction, ["ending": text, "screens": [text]]),
      Happened.event(.tokenAcquired, ["source": text, "scopes": [text], "expiresOn": text]),
      Happened.event(.httpRequest, ["from": text, "method": text, "url": text]),
      Happened.event(.httpResponse, ["failure": text]), Happened.event(.cacheRead, ["reason": text]),
      Happened.event(
        .stepFinished,
        [
          "step": text, "outcome": text, "verdict": "failed", "next": text, "rule": text, "shows": text,
          "broken": [text], "error": ["msal": text, "code": text, "description": text],
        ]), Happened.event(.runFinished, ["outcome": text, "path": [], "reason": text]),
    ]
    let told = Happened.told(events, color: color, detail: .verbose)
    #expect(told.contains("evil"))
    for scalar in told.unicodeScalars where scalar != "\n" {
      let isOwn = color && scalar == "\u{1B}"
      #expect(
        isOwn || !(scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) || scalar.value == 0x202E),
        "U+\(String(scalar.value, radix: 16))")
    }
    #expect(!told.contains("\u{1B}[2J") && !told.contains("\u{1B}]0"))
  }

  /// The columns of these texts, counted by hand.
  @Test(arguments: [("日本語", 6), ("e\u{301}e\u{301}", 2), ("가나다", 6), ("abc", 3)])
  func wideCharactersCountTwo(word: String, columns: Int) {
    let line = Array(repeating: word, count: 100).joined(separator: " ")
    let lines = Happened.told([Happened.decided(line), Happened.finished("a", "success")], width: 60)
      .split(separator: "\n").filter { $0.hasPrefix("    ") }.map { $0.split(separator: " ").count }
    // As many words as fit behind the hanging indent; the first line begins with what was decided about.
    #expect(lines.count > 2)
    #expect(lines.dropFirst().dropLast().allSatisfy { $0 == (60 - 6 + 1) / (columns + 1) }, "\(lines)")
  }

  @Test func aWordLongerThanTheTerminalIsNotCut() {
    let key = String(repeating: "k", count: 150)
    #expect(
      Happened.told([Happened.decided("the key is \(key)"), Happened.finished("a", "success")], width: 40).contains(key)
    )
  }

  @Test func anEventWithoutItsMembersTellsNothingWrong() {
    for kind in TraceEvent.Kind.allCases {
      var story = TerminalRunReport(style: TerminalStyle(color: false, unicode: true, width: 80), detail: .verbose)
      _ = story.tell(Happened.event(kind, [:]))
      _ = story.tell(Happened.finished("a", "success"))
      #expect(story.tell(Happened.finished("b", "success")).hasPrefix("✓ b  success"))
    }
  }
}
