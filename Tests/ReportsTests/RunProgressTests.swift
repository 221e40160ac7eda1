import Documents
import Effects
import Reports
import RunTrace
import Testing

/// What somebody sees who waits for a run.
@Suite struct RunProgressTests {
  private static let start = Instant(secondsSince1970: 1_735_689_600)
  private static let style = TerminalStyle(color: false, unicode: true, width: 100)

  private func lines(
    _ events: [TraceEvent], after seconds: Int, style: TerminalStyle = RunProgressTests.style
  ) -> [String] {
    var progress = RunProgress()
    for event in events { progress.take(event) }
    return progress.lines(at: Self.start + .seconds(seconds), style: style)
  }

  private static func until(_ seconds: Int, _ subject: String) -> TraceEvent {
    Happened.event(
      .decision,
      [
        "step": "a", "subject": .string(subject), "verdict": "x", "reason": "y",
        "facts": ["until": .string((start + .seconds(seconds)).rfc3339(fractionDigits: 3))],
      ])
  }

  private static func request(_ id: Int64, _ url: String) -> TraceEvent {
    Happened.event(.httpRequest, ["step": "a", "id": .integer(id), "method": "GET", "url": .string(url)])
  }

  @Test(arguments: [
    ("deviceCode", 900, 57, "… a  57 s, waits for the code to be entered, valid for 14 min 3 s"),
    ("retry", 30, 2, "… a  2 s, asks again in 28 s"), ("wait", 7500, 0, "… a  0 s, waits for 2 h 5 min"),
    ("retry", 30, 31, "… a  31 s"),
  ]) func aWaitIsCountedDown(subject: String, until: Int, now: Int, line: String) {
    #expect(lines([Happened.step("a"), Self.until(until, subject)], after: now) == [line])
  }

  @Test func aRequestWithoutAnswerNamesItsHost() {
    let asked = [Happened.step("a"), Self.request(1, "https://graph.microsoft.com/v1.0/me?x=1")]
    #expect(lines(asked, after: 3) == ["… a  3 s, waits for graph.microsoft.com"])
    let another = Happened.event(.httpResponse, ["step": "a", "id": 2, "status": 200])
    #expect(lines(asked + [another], after: 3) == ["… a  3 s, waits for graph.microsoft.com"])
    let answered = Happened.event(.httpResponse, ["step": "a", "id": 1, "status": 200])
    #expect(lines(asked + [answered], after: 3) == ["… a  3 s"])
  }

  @Test func aUserIsWaitedForUntilThePageIsClosed() {
    let opened = Happened.event(.interaction, ["step": "a", "phase": "opened"])
    let ended = Happened.event(.interaction, ["step": "a", "phase": "ended"])
    #expect(lines([Happened.step("a"), opened], after: 1) == ["… a  1 s, waits for the user at the sign-in page"])
    #expect(lines([Happened.step("a"), opened, ended], after: 1) == ["… a  1 s"])
  }

  @Test func stepsComeAndGo() {
    let steps = (1...8).map { Happened.step("s\($0)") }
    #expect(lines(steps, after: 0).count == 7)
    #expect(lines(steps, after: 0).last == "  and 2 more")
    #expect(lines(steps + [Happened.finished("s8", "success")], after: 0).last == "  and 1 more")
    #expect(lines([], after: 0).isEmpty)
  }

  @Test func aLineIsNarrowerThanTheTerminal() {
    let narrow = TerminalStyle(color: false, unicode: false, width: 40)
    let long = lines(
      [Happened.step("a"), Self.request(1, "https://\(String(repeating: "h", count: 80))/")], after: 0, style: narrow)
    #expect(long.allSatisfy { $0.count < 40 && $0.hasPrefix("... a") })
  }

  @Test func nothingOfTheServersIsObeyed() {
    let evil = [Happened.step("a"), Self.request(1, "https://evil\u{1B}[2J.test/")]
    #expect(lines(evil, after: 0).allSatisfy { !$0.contains("\u{1B}") })
  }
}
