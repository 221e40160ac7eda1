import Documents
import OrderedCollections
import Reports
import Testing

/// Tests the comparison of two runs.
@Suite struct RunComparisonTests {
  /// Returns a run with two steps.
  private static func run(
    outcome: String = "success", reason: String = "valid token", status: Int = 200, time: String? = nil
  ) throws -> TracedRun {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.add(
      "decision",
      [
        "step": "silent", "subject": "cachedToken", "verdict": "accepted", "reason": .string(reason), "facts": [:],
        "time": .string(time ?? TraceText.time(3)),
      ])
    trace.end("silent", outcome)
    trace.step("callGraph", kind: "callGraph")
    trace.add(
      "http.request",
      [
        "step": "callGraph", "id": 1, "from": "app", "method": "GET", "url": "https://graph.microsoft.com/v1.0/me",
        "headers": [],
      ])
    trace.add("http.response", ["step": "callGraph", "id": 1, "status": .integer(Int64(status)), "headers": []])
    trace.end("callGraph")
    trace.finish()
    return try #require(trace.read.tracedRun)
  }

  @Test func runsThatDifferOnlyInTimesAreEqual() throws {
    let comparison = RunComparison(try Self.run(), try Self.run(time: "2025-01-01T00:00:03.500000Z"))
    #expect(comparison.parting == nil)
    #expect(comparison.headline == "equal: 2 steps")
  }

  @Test func findsTheFirstStepWithADifferentOutcome() throws {
    let comparison = RunComparison(try Self.run(), try Self.run(outcome: "interactionRequired"))
    #expect(comparison.parting == 0)
    #expect(comparison.headline == "diverge at step 1: silent.success and silent.interactionRequired")
  }

  @Test func findsADifferentResponseInAStepWithTheSameOutcome() throws {
    let comparison = RunComparison(try Self.run(), try Self.run(status: 304))
    #expect(comparison.parting == 1)
    let details = comparison.details(ofRow: 1)
    #expect(details.left == [.init("GET https://graph.microsoft.com/v1.0/me: 200")])
    #expect(details.right == [.init("GET https://graph.microsoft.com/v1.0/me: 304")])
  }

  @Test func findsAMissingStep() throws {
    var short = TraceText()
    short.begin()
    short.step("silent")
    short.end("silent")
    short.finish()
    let comparison = RunComparison(try Self.run(reason: "x"), try #require(short.read.tracedRun))
    #expect(comparison.parting == 0)
    #expect(comparison.details(ofRow: 0).left.map(\.differs) == [true])
    #expect(comparison.details(ofRow: 1).right.isEmpty)
  }

  @Test func textAndPageShowBothRuns() throws {
    let (left, right) = (try Self.run(), try Self.run(reason: "expires <soon>"))
    let text = ComparisonText.render(
      RunComparison(left, right), names: ("a.jsonl", "b.jsonl"),
      style: TerminalStyle(color: false, unicode: true, width: 100))
    #expect(text.contains("the runs differ in step 1, silent.success"))
    #expect(text.contains("≠ cached token accepted: expires <soon>"))
    let pair = ComparisonPage.Pair(name: "a run", left: left, right: right)
    let page = ComparisonPage([pair], names: ("a.jsonl", "b.jsonl"), tool: "authflow 1").html()
    #expect(page.contains("data-runs=\"0 1\""))
    #expect(page.contains("≠ cached token accepted: expires &lt;soon&gt;"))
    let equal = ComparisonPage([.init(name: "a run", left: left, right: left)], names: ("a", "b"), tool: "authflow 1")
    #expect(!equal.html().contains("data-runs"))
  }
}

extension RunComparison.Detail {
  /// Creates a detail that appears in only one run.
  fileprivate init(_ text: String) {
    self = Self(text: text, differs: true)
  }
}
