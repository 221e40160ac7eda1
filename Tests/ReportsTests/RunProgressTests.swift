import Documents
import Effects
import Reports
import RunTrace
import Testing

/// Tests the progress lines of a run in a terminal.
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
    TraceFixtures.event(
      .decision,
      [
        "step": "a", "subject": .string(subject), "verdict": "x", "reason": "y",
        "facts": ["until": .string((start + .seconds(seconds)).rfc3339(fractionDigits: 3))],
      ])
  }

  private static func request(_ id: Int64, _ url: String) -> TraceEvent {
    TraceFixtures.event(.httpRequest, ["step": "a", "id": .integer(id), "method": "GET", "url": .string(url)])
  }

  @Test(arguments: [
    ("deviceCode", 900, 57, "… a  57 s, waiting for the user, device code valid for 14 min 3 s"),
    ("retry", 30, 2, "… a  2 s, retrying in 28 s"), ("wait", 7500, 0, "… a  0 s, waiting for 2 h 5 min"),
    ("retry", 30, 31, "… a  31 s"),
  ]) func countsDownWaits(subject: String, until: Int, now: Int, line: String) {
    #expect(lines([TraceFixtures.step("a"), Self.until(until, subject)], after: now) == [line])
  }

  @Test func showsTheHostOfAPendingRequest() {
    let sent = [TraceFixtures.step("a"), Self.request(1, "https://graph.microsoft.com/v1.0/me?x=1")]
    #expect(lines(sent, after: 3) == ["… a  3 s, waiting for graph.microsoft.com"])
    let another = TraceFixtures.event(.httpResponse, ["step": "a", "id": 2, "status": 200])
    #expect(lines(sent + [another], after: 3) == ["… a  3 s, waiting for graph.microsoft.com"])
    let completed = TraceFixtures.event(.httpResponse, ["step": "a", "id": 1, "status": 200])
    #expect(lines(sent + [completed], after: 3) == ["… a  3 s"])
  }

  @Test func waitsForTheUserUntilThePageCloses() {
    let opened = TraceFixtures.event(.interaction, ["step": "a", "phase": "opened"])
    let ended = TraceFixtures.event(.interaction, ["step": "a", "phase": "ended"])
    #expect(
      lines([TraceFixtures.step("a"), opened], after: 1) == ["… a  1 s, waiting for the user at the sign-in page"])
    #expect(lines([TraceFixtures.step("a"), opened, ended], after: 1) == ["… a  1 s"])
  }

  @Test func limitsTheListOfSteps() {
    let steps = (1...8).map { TraceFixtures.step("s\($0)") }
    #expect(lines(steps, after: 0).count == 7)
    #expect(lines(steps, after: 0).last == "  and 2 more")
    #expect(lines(steps + [TraceFixtures.finished("s8", "success")], after: 0).last == "  and 1 more")
    #expect(lines([], after: 0).isEmpty)
  }

  @Test func truncatesLinesToTheTerminalWidth() {
    let narrow = TerminalStyle(color: false, unicode: false, width: 40)
    let long = lines(
      [TraceFixtures.step("a"), Self.request(1, "https://\(String(repeating: "h", count: 80))/")], after: 0,
      style: narrow)
    #expect(long.allSatisfy { $0.count < 40 && $0.hasPrefix("... a") })
  }

  @Test func removesControlCharactersFromServers() {
    let hostile = [TraceFixtures.step("a"), Self.request(1, "https://hostile\u{1B}[2J.test/")]
    #expect(lines(hostile, after: 0).allSatisfy { !$0.contains("\u{1B}") })
  }
}
