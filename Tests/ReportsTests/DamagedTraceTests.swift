import Documents
import OrderedCollections
import Reports
import Testing

@Suite struct DamagedTraceTests {
  private func whole() -> TraceText {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.end("silent")
    trace.finish()
    return trace
  }

  private func words(_ text: String) -> [String] { TraceReader.read(Array(text.utf8), named: "t.jsonl").words }

  @Test func everyPrefixOfATraceTellsAStoryOrSaysWhyNot() {
    let bytes = Array(whole().text.utf8)
    let first = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0
    for count in bytes.indices {
      let reading = TraceReader.read(Array(bytes[..<count]), named: "t.jsonl")
      #expect((reading.story == nil) == (count < first), "\(count)")
      #expect(!reading.diagnostics.isEmpty || count == bytes.count - 1, "\(count)")
    }
  }

  @Test func pieceSizesDoNotMatter() {
    let text = whole().text
    for size in [1, 2, 3, 7, 64, 1000] {
      var reader = TraceReader(named: "t.jsonl")
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        reader.take(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      let reading = reader.finish()
      #expect(reading.words.isEmpty && reading.events == 4 && reading.story?.steps.count == 1, "\(size)")
    }
  }

  @Test func aCutLastLineIsLeftOut() throws {
    let text = whole().text
    let reading = TraceReader.read(Array(text.utf8.dropLast(20)), named: "t.jsonl")
    #expect(
      reading.words == [
        "4: warning: the last line is cut and is left out [cut-trace]",
        "note: the trace ends before the run does [unfinished-run]",
      ])
    #expect(reading.story?.steps.first?.outcome == "success" && reading.story?.ending == nil)
  }

  @Test func aLastLineWithoutItsEndIsReadWhereItIsWhole() {
    #expect(words(String(whole().text.dropLast())).isEmpty)
  }

  @Test func whatIsNoTraceIsSaid() {
    #expect(words("") == ["error: the trace is empty [no-trace]"])
    #expect(words("\n \r\n\n") == ["error: the trace is empty [no-trace]"])
    #expect(words("hello\n").first?.hasPrefix("1: error: this is no trace: its first line is no JSON") == true)
    #expect(words("\n{}\n") == ["2: error: this is no trace: its first line has no \"kind\" and no \"seq\" [no-trace]"])
    #expect(words("[1]\n") == ["1: error: this is no trace: its first line has no \"kind\" and no \"seq\" [no-trace]"])
    #expect(words("{\"recording\":1}\n") == ["1: error: this is a recording, not a trace [no-trace]"])
    #expect(
      words("{\"authflow\":\"golden\",\"format\":1}\n") == ["error: the file holds no event of a run [no-trace]"])
    #expect(
      words(#"{"kind":"run.started","seq":1,"time":"2025-01-01T00:00:00Z","format":1,"platform":"emulated"}"# + "\n")
        == ["1: error: the trace is of version 1, and this authflow reads 2 [no-trace]"])
    let utf16 = TraceReader.read([0xFF, 0xFE, 0x7B, 0x00], named: "t.jsonl")
    #expect(utf16.words == ["1: error: this is UTF-16, and a trace is UTF-8 [no-trace]"])
  }

  @Test func byteOrderMarksAndCarriageReturnsArePassedOver() {
    let text = "\u{FEFF}" + whole().text.replacing("\n", with: "\r\n")
    #expect(words(text).isEmpty)
  }

  @Test func aGoldenIsReadLikeATrace() {
    #expect(words(#"{"authflow":"golden","format":2,"scenario":"s"}"# + "\n" + whole().text).isEmpty)
  }

  @Test func linesThatAreNoEventsAreLeftOut() {
    var trace = TraceText()
    trace.begin()
    trace.addRaw("{ not json")
    trace.addRaw("7")
    trace.addRaw(#"{"seq":2,"time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","seq":-1,"time":"2025-01-01T00:00:00Z"}"#)
    trace.addRaw(#"{"kind":"decision","seq":2,"time":"yesterday"}"#)
    trace.finish()
    let words = trace.read.words
    #expect(words.count == 6)
    #expect(words[0].hasPrefix("2: warning: this line is no JSON and is left out: "))
    #expect(words[1] == "3: warning: an event is an object, and this is number; it is left out [damaged-trace]")
    #expect(words[2] == "4: warning: the event has no \"kind\" and is left out [damaged-trace]")
    #expect(words[3] == "5: warning: \"seq\" is missing; the event is left out [damaged-trace]")
    #expect(words[4] == "6: warning: \"seq\" is no number above 0; the event is left out [damaged-trace]")
    #expect(
      words[5] == "7: warning: \"time\" is no time as RFC 3339 writes it; the event is left out [damaged-trace]")
    #expect(trace.read.story?.ending?.outcome == "success")
  }

  @Test func wrongTypesAndMissingMembersAreSaid() throws {
    var trace = TraceText()
    trace.begin()
    trace.add("step.started", ["step": "silent", "stepKind": 5, "rule": "r", "place": "here"])
    trace.add("http.response", ["id": "one", "from": "app", "milliseconds": "long"])
    trace.add("step.finished", ["step": "silent", "stepKind": "silent", "next": "next"])
    trace.finish()
    let reading = trace.read
    #expect(
      reading.words == [
        "2: warning: \"place\" of step.started is string, not object; it is passed over [damaged-trace]",
        "2: warning: \"stepKind\" of step.started is number, not string; it is passed over [damaged-trace]",
        "3: warning: \"id\" of http.response is string, not integer; it is passed over [damaged-trace]",
        "3: warning: \"milliseconds\" of http.response is string, not number; it is passed over [damaged-trace]",
        "3: warning: this answers a request with the id 0, which was not sent or is answered already [damaged-trace]",
        "4: warning: step.finished has no \"outcome\" [damaged-trace]",
      ])
    #expect(reading.story?.steps.first?.outcome == nil)
  }

  @Test func gapsAndRepeatedNumbersAreSaidAndTheOrderIsThatOfTheLines() throws {
    var trace = TraceText()
    trace.begin()
    trace.step("silent")
    trace.add("decision", ["seq": 7, "subject": "a", "verdict": "b", "reason": "c"])
    trace.add("decision", ["seq": 7, "subject": "d", "verdict": "e", "reason": "f"])
    trace.add("decision", ["seq": 2, "subject": "g", "verdict": "h", "reason": "i"])
    let reading = trace.read
    #expect(
      reading.words == [
        "3: warning: 4 events are missing before this one [damaged-trace]",
        "4: warning: \"seq\" 7 comes after 7: the lines are not in order [damaged-trace]",
        "5: warning: \"seq\" 2 comes after 8: the lines are not in order [damaged-trace]",
        "note: the trace ends before the run does [unfinished-run]",
      ])
    #expect(reading.story?.decisions.map(\.seq) == [7, 8, 9])
  }

  @Test func answersWithoutRequestsAndRepeatedNumbersAreSaid() throws {
    var trace = TraceText()
    trace.begin()
    for _ in 1...2 { trace.add("http.request", ["id": 1, "from": "app", "method": "GET", "url": "https://a/"]) }
    for _ in 1...2 { trace.add("http.response", ["id": 1, "from": "app", "status": 200]) }
    let reading = trace.read
    #expect(
      reading.words.prefix(2) == [
        "3: warning: there is another request with the id 1 that was not answered [damaged-trace]",
        "5: warning: this answers a request with the id 1, which was not sent or is answered already [damaged-trace]",
      ])
    let story = try #require(reading.story)
    #expect(story.exchanges.map { $0.answer != nil } == [false, true])
  }

  @Test func stepsThatEndWithoutABeginningAreSaid() throws {
    var trace = TraceText()
    trace.begin()
    trace.end("silent")
    #expect(trace.read.words.first == "2: warning: the step silent ends here and was never begun [damaged-trace]")
    #expect(trace.read.story?.steps.map(\.id) == ["silent"])
  }

  @Test func aNewerVersionIsReadAsFarAsItIsKnown() throws {
    var trace = TraceText()
    trace.add("run.started", ["format": 3, "tool": "authflow 9", "platform": "moon", "phase": "new"])
    trace.add("step.dreamt", ["step": "silent", "of": "sheep"])
    trace.finish()
    let reading = trace.read
    #expect(
      reading.words == [
        "1: note: the trace is of version 3, and this authflow knows 2 [newer-trace]",
        "2: note: this authflow does not know events of the kind \"step.dreamt\" [unknown-trace-event]",
      ])
    let story = try #require(reading.story)
    #expect(story.unknown.map(\.kind) == ["step.dreamt"] && story.unknown[0].members["of"] == "sheep")
    #expect(story.platform == "moon")
  }

  @Test func aSecondRunIsNotMixedIntoTheFirst() throws {
    let one = whole().text
    let reading = TraceReader.read(Array((one + one).utf8), named: "t.jsonl")
    #expect(reading.words == ["5: warning: another run begins here; what is told is the first [second-run]"])
    #expect(reading.story?.steps.count == 1)
  }

  @Test func nestingBeyondReasonIsNoCrash() {
    var trace = TraceText()
    trace.begin()
    let deep = String(repeating: "[", count: 100_000)
    trace.addRaw(#"{"kind":"decision","seq":2,"time":"2025-01-01T00:00:00Z","facts":\#(deep)"#)
    trace.addRaw(
      #"{"kind":"decision","seq":2,"time":"2025-01-01T00:00:00Z","subject":"s","verdict":"v","reason":"w","facts":{"a":"#
        + String(repeating: "[", count: 500) + String(repeating: "]", count: 500) + "}}")
    let reading = trace.read
    #expect(reading.words.first?.hasPrefix("2: warning: this line is no JSON and is left out") == true)
    #expect(reading.story?.decisions.count == 1)
  }

  @Test func whatIsNoUTF8IsLeftOut() {
    var bytes = Array(whole().text.utf8)
    let second = (bytes.firstIndex(of: UInt8(ascii: "\n")) ?? 0) + 10
    bytes[second] = 0xFF
    let words = TraceReader.read(bytes, named: "t.jsonl").words
    #expect(words.first?.hasPrefix("2: warning: this line is no JSON and is left out") == true)
  }

  @Test func manyMistakesAreToldTogether() {
    var trace = TraceText()
    trace.begin()
    for _ in 1...50 { trace.addRaw("nonsense") }
    let words = trace.read.words
    #expect(words.count == 22)
    #expect(words[20] == "warning: 30 more lines have mistakes like these [damaged-trace]")
  }

  @Test func timesAndNumbersOutOfReasonAreNoCrash() throws {
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
    trace.add("http.request", ["id": .integer(.max), "from": "moon", "method": "GET", "url": ""])
    trace.add("http.response", ["id": .integer(.max), "from": "moon", "status": .integer(.max), "milliseconds": -5])
    trace.add(
      "step.finished", ["step": "s", "stepKind": "k", "outcome": "o", "next": "n", "milliseconds": .real(1e18)])
    trace.add(
      "run.finished", ["outcome": "o", "path": [], "time": "9999-12-31T23:59:59Z", "interactions": .integer(.min)])
    let story = try #require(trace.read.story)
    #expect(story.steps[0].duration == nil && story.exchanges[0].duration == nil)
    #expect(story.exchanges[0].answer?.status == .max)
  }
}
