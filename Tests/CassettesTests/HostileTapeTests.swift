import Cassettes
import Diagnostics
import Testing

/// Files that are no tapes, or no whole ones.
@Suite struct HostileTapeTests {
  struct Bad: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var message: String
  }

  static let head = #"{"cassette":1,"recordedAt":"2025-01-01T00:00:00Z"}"# + "\n"

  static let bad: [Bad] = [
    Bad(testDescription: "empty", text: " \n\n", message: "the tape is empty"),
    Bad(testDescription: "no JSON", text: "authflow: 1\n", message: "this is no tape: its first line is no JSON"),
    Bad(testDescription: "other JSON", text: "{\"a\":1}\n", message: "its first line has no \"cassette\""),
    Bad(
      testDescription: "a trace", text: #"{"format":1,"kind":"run.started","seq":1}"#, message: "a trace, not a tape"),
    Bad(testDescription: "a version to come", text: #"{"cassette":2}"# + "\n", message: "of version 2"),
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

  @Test(arguments: bad) func isToldAndNotPlayed(bad: Bad) {
    let (cassette, diagnostics) = Cassette.read(Array(bad.text.utf8), named: "t.jsonl")
    #expect(cassette == nil)
    #expect(diagnostics.contains { $0.message.contains(bad.message) }, "\(diagnostics.map(\.message))")
  }

  @Test func aHalfLastLineIsToldAndLeftOut() {
    let text = Self.head + #"{"at":0,"kind":"exchange","request":{"method":"GET","url":"u"},"response":{"status":200}}"#
    let (cassette, diagnostics) = Cassette.read(Array((text + "\n{\"at\":1,\"ki").utf8), named: "t.jsonl")
    #expect(cassette?.count == 1)
    #expect(diagnostics.map(\.severity) == [.warning])
    #expect(diagnostics.map(\.place.start.line) == [3])
  }
}
