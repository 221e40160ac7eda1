import Documents
import OrderedCollections
import Reports
import Testing

@Suite struct DamagedTraceTests {
  private func completeTrace() -> TraceText {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.end("silent")
    trace.finish()
    return trace
  }

  private func findings(_ text: String) -> [String] { TraceReader.read(Array(text.utf8), named: "t.jsonl").findings }

  @Test func everyPrefixYieldsARunOrFindings() {
    let bytes = Array(completeTrace().text.utf8)
    let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    for count in bytes.indices {
      let result = TraceReader.read(Array(bytes[..<count]), named: "t.jsonl")
      #expect((result.tracedRun == nil) == (count < first), "\(count)")
      #expect(!result.diagnostics.isEmpty || count == bytes.count - 1, "\(count)")
    }
  }

  @Test func chunkSizesDoNotAffectTheResult() {
    let text = completeTrace().text
    for size in [1, 2, 3, 7, 64, 1000] {
      var reader = TraceReader(named: "t.jsonl")
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        reader.take(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let result = reader.finish()
      #expect(result.findings.isEmpty && result.events == 4 && result.tracedRun?.steps.count == 1, "\(size)")
    }
  }

  @Test func skipsATruncatedLastLine() throws {
    let text = completeTrace().text
    let result = TraceReader.read(Array(text.utf8.dropLast(20)), named: "t.jsonl")
    #expect(
      result.findings == [
        "4: warning: last line is truncated; skipped [cut-trace]",
        "note: the trace ends before the end of the run [unfinished-run]",
      ])
    #expect(result.tracedRun?.steps.first?.outcome == "success" && result.tracedRun?.ending == nil)
  }

  @Test func acceptsACompleteLastLineWithoutANewline() {
    #expect(findings(String(completeTrace().text.dropLast())).isEmpty)
  }

  @Test func rejectsFilesThatAreNotTraces() {
    #expect(findings("") == ["error: trace is empty [no-trace]"])
    #expect(findings("\n \r\n\n") == ["error: trace is empty [no-trace]"])
    #expect(findings("hello\n").first?.hasPrefix("1: error: not a trace: the first line is not JSON") == true)
    #expect(findings("\n{}\n") == ["2: error: not a trace: the first line has no `kind` or `seq` [no-trace]"])
    #expect(findings("[1]\n") == ["1: error: not a trace: the first line has no `kind` or `seq` [no-trace]"])
    #expect(findings("{\"recording\":1}\n") == ["1: error: this is a recording, not a trace [no-trace]"])
    #expect(
      findings("{\"authflow\":\"golden\",\"format\":1}\n") == [
        "error: the file does not contain a run's events [no-trace]"
      ]
    )
    #expect(
      findings(#"{"kind":"run.started","seq":1,"time":"2025-01-01T00:00:00Z","format":1,"platform":"emulated"}"# + "\n")
        == ["1: error: trace has format 1, but this version of authflow requires 2 [no-trace]"])
    let utf16 = TraceReader.read([0xFF, 0xFE, 0x7B, 0x00], named: "t.jsonl")
    #expect(utf16.findings == ["1: error: trace is UTF-16, not UTF-8 [no-trace]"])
  }

  @Test func ignoresByteOrderMarksAndCarriageReturns() {
    let text = "\u{FEFF}" + completeTrace().text.replacing("\n", with: "\r\n")
    #expect(findings(text).isEmpty)
  }

  @Test func readsGoldenFiles() {
    #expect(findings(#"{"authflow":"golden","format":2,"scenario":"s"}"# + "\n" + completeTrace().text).isEmpty)
  }

  @Test func skipsLinesThatAreNotEvents() {
    var trace = TraceText()
    trace.begin()
    trace.addRaw("{ not json")
    trace.addRaw("7")
    trace.addRaw(#"{"seq":2,"time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","seq":-1,"time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","seq":2,"time":"yesterday"}"#)
    trace.finish()
    let findings = trace.read.findings
    #expect(findings.count == 6)
    #expect(findings[0].hasPrefix("2: warning: line is not JSON; skipped: "))
    #expect(findings[1] == "3: warning: an event must be an object, not number; skipped [damaged-trace]")
    #expect(findings[2] == "4: warning: skipped an event without `kind` [damaged-trace]")
    #expect(findings[3] == "5: warning: `seq` is missing; event skipped [damaged-trace]")
    #expect(findings[4] == "6: warning: `seq` is not a positive integer; event skipped [damaged-trace]")
    #expect(
      findings[5] == "7: warning: `time` is not an RFC 3339 time; event skipped [damaged-trace]")
    #expect(trace.read.tracedRun?.ending?.outcome == "success")
  }

  @Test func reportsWrongTypesAndMissingMembers() throws {
    var trace = TraceText()
    trace.begin()
    trace.add("step.started", ["step": "silent", "stepKind": 5, "rule": "r", "place": "here"])
    trace.add("http.response", ["id": "one", "from": "app", "milliseconds": "long"])
    trace.add("step.finished", ["step": "silent", "stepKind": "silent", "next": "next"])
    trace.finish()
    let result = trace.read
    #expect(
      result.findings == [
        "2: warning: `place` of step.started is string, not object; ignored [damaged-trace]",
        "2: warning: `stepKind` of step.started is number, not string; ignored [damaged-trace]",
        "2: warning: step.started has no `stepKind` [damaged-trace]",
        "3: warning: `id` of http.response is string, not integer; ignored [damaged-trace]",
        "3: warning: `milliseconds` of http.response is string, not number; ignored [damaged-trace]",
        "3: warning: http.response has no `id` [damaged-trace]",
        "3: warning: response to request 0, which is missing or already has a response [damaged-trace]",
        "4: warning: step.finished has no `outcome` [damaged-trace]",
      ])
    #expect(result.tracedRun?.steps.first?.outcome == nil)
  }

  @Test func reportsGapsAndDuplicateNumbersAndKeepsTheOrderOfLines() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.add("decision", ["seq": 7, "subject": "a", "verdict": "b", "reason": "c"])
    trace.add("decision", ["seq": 7, "subject": "d", "verdict": "e", "reason": "f"])
    trace.add("decision", ["seq": 2, "subject": "g", "verdict": "h", "reason": "i"])
    let result = trace.read
    #expect(
      result.findings == [
        "3: warning: 4 events are missing before this one [damaged-trace]",
        "4: warning: lines out of order: `seq` 7 follows 7 [damaged-trace]",
        "5: warning: lines out of order: `seq` 2 follows 8 [damaged-trace]",
        "note: the trace ends before the end of the run [unfinished-run]",
      ])
    #expect(result.tracedRun?.decisions.map(\.seq) == [7, 8, 9])
  }

  @Test func reportsUnmatchedResponsesAndDuplicateRequestIDs() throws {
    var trace = TraceText()
    trace.begin()
    for _ in 1...2 { trace.add("http.request", ["id": 1, "from": "app", "method": "GET", "url": "https://a/"]) }
    for _ in 1...2 { trace.add("http.response", ["id": 1, "from": "app", "status": 200]) }
    let result = trace.read
    #expect(
      result.findings.prefix(2) == [
        "3: warning: an earlier request with the same ID 1 has no response yet [damaged-trace]",
        "5: warning: response to request 1, which is missing or already has a response [damaged-trace]",
      ])
    let run = try #require(result.tracedRun)
    #expect(run.exchanges.map { $0.answer != nil } == [false, true])
  }

  @Test func reportsStepsThatEndWithoutStarting() throws {
    var trace = TraceText()
    trace.begin()
    trace.end("silent")
    #expect(trace.read.findings.first == "2: warning: step silent ends here but never started [damaged-trace]")
    #expect(trace.read.tracedRun?.steps.map(\.id) == ["silent"])
  }

  @Test func readsTheKnownPartsOfANewerFormat() throws {
    var trace = TraceText()
    trace.add("run.started", ["format": 3, "tool": "authflow 9", "platform": "other", "phase": "new"])
    trace.add("step.paused", ["step": "silent", "cause": "unknown"])
    trace.finish()
    let result = trace.read
    #expect(
      result.findings == [
        "1: note: trace has format 3, but this version of authflow supports only format 2 [newer-trace]",
        "2: note: unknown event kind `step.paused` [unknown-trace-event]",
      ])
    let run = try #require(result.tracedRun)
    #expect(run.unknown.map(\.kind) == ["step.paused"] && run.unknown[0].members["cause"] == "unknown")
    #expect(run.platform == "other")
  }

  @Test func ignoresASecondRun() throws {
    let one = completeTrace().text
    let result = TraceReader.read(Array((one + one).utf8), named: "t.jsonl")
    #expect(result.findings == ["5: warning: another run starts here; only the first run is read [second-run]"])
    #expect(result.tracedRun?.steps.count == 1)
  }

  @Test func acceptsDeepNestingUpToALimit() {
    var trace = TraceText()
    trace.begin()
    let deep = String(repeating: "[", count: 100_000)
    trace.addRaw(#"{"kind":"decision","seq":2,"time":"2025-01-01T00:00:00Z","facts":\#(deep)"#)
    trace.addRaw(
      #"{"kind":"decision","seq":2,"time":"2025-01-01T00:00:00Z","subject":"s","verdict":"v","reason":"w","facts":{"a":"#
        + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}}")
    let result = trace.read
    #expect(result.findings.first?.hasPrefix("2: warning: line is not JSON; skipped") == true)
    #expect(result.tracedRun?.decisions.count == 1)
  }

  @Test func skipsLinesThatAreNotUTF8() {
    var bytes = Array(completeTrace().text.utf8)
    let second = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 10
    bytes[second] = 0xFF
    let findings = TraceReader.read(bytes, named: "t.jsonl").findings
    #expect(findings.first?.hasPrefix("2: warning: line is not JSON; skipped") == true)
  }

  @Test func combinesManySimilarFindings() {
    var trace = TraceText()
    trace.begin()
    for _ in 1...50 { trace.addRaw("not json") }
    let findings = trace.read.findings
    #expect(findings.count == 22)
    #expect(findings[20] == "warning: 30 more lines have similar problems [damaged-trace]")
  }

  @Test func acceptsOutOfRangeTimesAndNumbers() throws {
    var trace = TraceText()
    trace.begin()
    trace.add(
      "step.started",
      [
        "step": "s", "stepKind": "k", "rule": "r", "number": .integer(.max),
        "place": ["file": "f", "line": .integer(.max)],
      ])
    trace.add(
      "decision",
      [
        "step": "s", "subject": "retry", "verdict": "again", "reason": "w",
        "facts": ["attempt": .integer(.min), "milliseconds": .real(1e300)],
      ])
    trace.add("http.request", ["id": .integer(.max), "from": "other", "method": "GET", "url": ""])
    trace.add("http.response", ["id": .integer(.max), "from": "other", "status": .integer(.max), "milliseconds": -5])
    trace.add(
      "step.finished", ["step": "s", "stepKind": "k", "outcome": "o", "next": "n", "milliseconds": .real(1e18)])
    trace.add(
      "run.finished", ["outcome": "o", "path": [], "time": "9999-12-31T23:59:59Z", "interactions": .integer(.min)])
    let run = try #require(trace.read.tracedRun)
    #expect(run.steps[0].duration == nil && run.exchanges[0].duration == nil)
    #expect(run.exchanges[0].answer?.status == .max)
  }
}
