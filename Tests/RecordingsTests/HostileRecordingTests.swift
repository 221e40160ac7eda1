import Recordings
import Diagnostics
import Effects
import SimulatedWorld
import Testing

/// Files that are no recordings, or no whole ones.
@Suite struct HostileRecordingTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var message: String
  }

  static let head = #"{"recording":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n"

  static let bad: [Bad] = [
    Bad(testDescription: "empty", text: " \n\n", message: "the recording is empty"),
    Bad(testDescription: "no JSON", text: "authflow: 1\n", message: "this is no recording: its first line is no JSON"),
    Bad(testDescription: "other JSON", text: "{\"a\":1}\n", message: "its first line has no \"recording\""),
    Bad(
      testDescription: "a trace", text: #"{"format":2,"kind":"run.started","seq":1}"#,
      message: "a trace, not a recording"),
    Bad(
      testDescription: "an earlier format", text: #"{"cassette":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n",
      message: "the format of an earlier authflow"),
    Bad(testDescription: "a version to come", text: #"{"recording":2}"# + "\n", message: "of version 2"),
    Bad(testDescription: "a broken line", text: head + "{\"kind\":\n{}\n", message: "this line is no JSON"),
    Bad(testDescription: "another kind", text: head + #"{"kind":"song"}"# + "\n", message: "the kind \"song\""),
    Bad(
      testDescription: "before the beginning",
      text: head + #"{"at":-1,"kind":"exchange","request":{"method":"GET","url":"u"},"response":{"status":200}}"#
        + "\n",
      message: "\"at\" is negative"),
    Bad(
      testDescription: "too deep", text: head + String(repeating: "[", count: 5000) + "\n",
      message: "this line is no JSON"),
  ]

  /// Lines behind a head that are none of a recording's, and what is said of them, at their place.
  static let lines: [(String, String)] = [
    (#"[]"#, "a line of a recording is an object"), (#"{"at":0}"#, #"the line has no "kind""#),
    (#"{"kind":"exchange","at":1e300,"request":{"method":"GET","url":"u"},"response":{"status":200}}"#, "too far away"),
    (#"{"kind":"exchange","at":0,"request":{"method":"GET"},"response":{"status":200}}"#, "needs a method and a url"),
    (#"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"}}"#, "neither a failure nor a response"),
    (#"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"},"response":{"status":99}}"#, "neither a failure"),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u","headers":[]},"response":{"status":200}}"#,
      "mappings of texts"
    ),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"},"failure":{"kind":"rain"}}"#,
      "a failure is one of"
    ),
    (
      #"{"kind":"visit","at":0,"request":{"method":"VISIT","url":"u"},"purpose":"fun","ending":{"finished":true}}"#,
      "the purpose of a visit"
    ),
    (
      #"{"kind":"visit","at":0,"request":{"method":"VISIT","url":"u"},"purpose":"signIn","ending":{}}"#,
      "a visit ends redirected"
    ),
    (
      #"{"kind":"exchange","at":0,"issued":{"nonsense":{}},"request":{"method":"GET","url":"u"},"response":{"status":200}}"#,
      "which is no placeholder"
    ),
    (
      #"{"kind":"exchange","at":0,"issued":{"code #1":{"length":-5}},"request":{"method":"GET","url":"u"},"response":{"status":200}}"#,
      "none that a secret has"
    ),
    (#"{"kind":"badlySigned"}"#, #""token" is missing"#),
  ]

  @Test(arguments: lines) func aLineThatIsNoneIsToldAtItsPlace(line: String, message: String) {
    let (recording, diagnostics) = Recording.read(Array((Self.head + line + "\n").utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.map(\.rule) == ["unusable-recording"])
    #expect(diagnostics.first?.message.contains(message) == true, "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.place.source.name == "t.jsonl")
    #expect(diagnostics.first?.place.start.line == 2)
  }

  @Test func aFileOfSomethingElseIsNotToldLineByLine() {
    let text = Self.head + String(repeating: "{\"kind\":\"song\"}\n", count: 10_000)
    let (recording, diagnostics) = Recording.read(Array(text.utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.count == 10)
  }

  /// A recording cut off anywhere, and one with a byte turned: told or played, and never a crash.
  @Test func aDamagedRecordingNeverBreaksTheReader() async throws {
    let whole = Array(try await RecordingRoundTripTests.record().text.utf8)
    for end in stride(from: 0, to: whole.count, by: 37) {
      let (recording, diagnostics) = Recording.read(Array(whole[..<end]), named: "t.jsonl")
      #expect(recording != nil || diagnostics.contains { $0.severity == .error })
    }
    for index in stride(from: 0, to: whole.count, by: 53) {
      var bytes = whole
      bytes[index] ^= 0x15
      let (recording, diagnostics) = Recording.read(bytes, named: "t.jsonl")
      #expect(recording != nil || diagnostics.contains { $0.severity == .error })
    }
  }

  @Test(arguments: bad) func isToldAndNotPlayed(bad: Bad) {
    let (recording, diagnostics) = Recording.read(Array(bad.text.utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.contains { $0.message.contains(bad.message) }, "\(diagnostics.map(\.message))")
  }

  @Test("bounds a response whose tokens contain tokens")
  func nestedTokens() async throws {
    // Each level is 8/3 as long as the next.
    let issued = (1...14).map { level in
      let next = "‹access token #\(level + 1)›"
      return #""access token #\#(level)":{"header":{"alg":"none"},"claims":{"a":"\#(next)\#(next)"}}"#
    }
    let line =
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"https://a.test/"},"#
      + #""response":{"status":200,"text":"\#(String(repeating: "‹access token #1›", count: 10))"},"#
      + #""issued":{\#(issued.joined(separator: ","))}}"#
    let platform = try RecordingRoundTripTests.platform(Self.head + line + "\n", Simulation())
    let request = try #require(RequestMessage(url: "https://a.test/"))
    let response = try await platform.transport.send(request)
    #expect(!response.body.isEmpty)
    #expect(response.body.count <= 16 << 20)
  }

  @Test func aHalfLastLineIsToldAndLeftOut() {
    let text = Self.head + #"{"at":0,"kind":"exchange","request":{"method":"GET","url":"u"},"response":{"status":200}}"#
    let (recording, diagnostics) = Recording.read(Array((text + "\n{\"at\":1,\"ki").utf8), named: "t.jsonl")
    #expect(recording?.count == 1)
    #expect(diagnostics.map(\.severity) == [.warning])
    #expect(diagnostics.map(\.place.start.line) == [3])
  }
}
