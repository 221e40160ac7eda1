import Recordings
import Diagnostics
import Effects
import SimulatedWorld
import Testing

/// Tests invalid and incomplete recordings.
@Suite struct HostileRecordingTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var message: String
  }

  static let head = #"{"recording":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n"

  static let bad: [Bad] = [
    Bad(testDescription: "empty", text: " \n\n", message: "recording is empty"),
    Bad(testDescription: "not JSON", text: "authflow: 1\n", message: "not a recording: first line is not JSON"),
    Bad(testDescription: "other JSON", text: "{\"a\":1}\n", message: "first line has no `recording` key"),
    Bad(
      testDescription: "a trace", text: #"{"format":2,"kind":"run.started","seq":1}"#,
      message: "a trace, not a recording"),
    Bad(
      testDescription: "an earlier format", text: #"{"cassette":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n",
      message: "format from an earlier version"),
    Bad(testDescription: "a later version", text: #"{"recording":2}"# + "\n", message: "recording version 2"),
    Bad(testDescription: "a broken line", text: head + "{\"kind\":\n{}\n", message: "line is not JSON"),
    Bad(testDescription: "an unknown kind", text: head + #"{"kind":"song"}"# + "\n", message: "kind `song`"),
    Bad(
      testDescription: "a negative time",
      text: head + #"{"at":-1,"kind":"exchange","request":{"method":"GET","url":"u"},"response":{"status":200}}"#
        + "\n",
      message: "`at` is negative"),
    Bad(
      testDescription: "too deep", text: head + String(repeating: "[", count: 5000) + "\n",
      message: "line is not JSON"),
  ]

  /// Invalid lines after a valid header, with the expected messages.
  static let lines: [(String, String)] = [
    (#"[]"#, "recording line is not an object"), (#"{"at":0}"#, "line without `kind`"),
    (
      #"{"kind":"exchange","at":1e300,"request":{"method":"GET","url":"u"},"response":{"status":200}}"#,
      "`at` is too large"
    ),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET"},"response":{"status":200}}"#,
      "request without `method` or `url`"
    ),
    (#"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"}}"#, "neither a `failure` nor a `response`"),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"},"response":{"status":99}}"#,
      "neither a `failure` nor a `response`"
    ),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u","headers":[]},"response":{"status":200}}"#,
      "`query`, `headers`, or body of the request has the wrong type"
    ),
    (
      #"{"kind":"exchange","at":0,"request":{"method":"GET","url":"u"},"failure":{"kind":"rain"}}"#,
      "unknown failure kind"
    ),
    (
      #"{"kind":"visit","at":0,"request":{"method":"VISIT","url":"u"},"purpose":"fun","ending":{"finished":true}}"#,
      "`purpose` of the visit"
    ),
    (
      #"{"kind":"visit","at":0,"request":{"method":"VISIT","url":"u"},"purpose":"signIn","ending":{}}"#,
      "`ending` is not `redirected`"
    ),
    (
      #"{"kind":"exchange","at":0,"issued":{"unknown":{}},"request":{"method":"GET","url":"u"},"response":{"status":200}}"#,
      "invalid placeholder `unknown`"
    ),
    (
      #"{"kind":"exchange","at":0,"issued":{"code #1":{"length":-5}},"request":{"method":"GET","url":"u"},"response":{"status":200}}"#,
      "invalid `length`"
    ),
    (#"{"kind":"badlySigned"}"#, "line without `token`"),
  ]

  @Test("reports an invalid line at its location", arguments: lines)
  func invalidLine(line: String, message: String) {
    let (recording, diagnostics) = Recording.read(Array((Self.head + line + "\n").utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.map(\.rule) == ["unusable-recording"])
    #expect(diagnostics.first?.message.contains(message) == true, "\(diagnostics.map(\.message))")
    #expect(diagnostics.first?.place.source.name == "t.jsonl")
    #expect(diagnostics.first?.place.start.line == 2)
  }

  @Test("limits the number of reported errors")
  func errorLimit() {
    let text = Self.head + String(repeating: "{\"kind\":\"song\"}\n", count: 10_000)
    let (recording, diagnostics) = Recording.read(Array(text.utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.count == 10)
  }

  /// Truncates a recording at many offsets and flips bits in many bytes.
  @Test("reads a damaged recording without crashing")
  func damagedRecording() async throws {
    let complete = Array(try await RecordingRoundTripTests.record().text.utf8)
    for end in stride(from: 0, to: complete.count, by: 37) {
      let (recording, diagnostics) = Recording.read(Array(complete[..<end]), named: "t.jsonl")
      #expect(recording != nil || diagnostics.contains { $0.severity == .error })
    }
    for index in stride(from: 0, to: complete.count, by: 53) {
      var bytes = complete
      bytes[index] ^= 0x15
      let (recording, diagnostics) = Recording.read(bytes, named: "t.jsonl")
      #expect(recording != nil || diagnostics.contains { $0.severity == .error })
    }
  }

  @Test("rejects an invalid recording", arguments: bad)
  func invalidRecording(bad: Bad) {
    let (recording, diagnostics) = Recording.read(Array(bad.text.utf8), named: "t.jsonl")
    #expect(recording == nil)
    #expect(diagnostics.contains { $0.message.contains(bad.message) }, "\(diagnostics.map(\.message))")
  }

  @Test("limits the size of a response with nested tokens")
  func nestedTokens() async throws {
    // Each token is 8/3 times as long as the token that it contains.
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

  @Test("skips an incomplete last line with a warning")
  func incompleteLastLine() {
    let text = Self.head + #"{"at":0,"kind":"exchange","request":{"method":"GET","url":"u"},"response":{"status":200}}"#
    let (recording, diagnostics) = Recording.read(Array((text + "\n{\"at\":1,\"ki").utf8), named: "t.jsonl")
    #expect(recording?.count == 1)
    #expect(diagnostics.map(\.severity) == [.warning])
    #expect(diagnostics.map(\.place.start.line) == [3])
  }
}
