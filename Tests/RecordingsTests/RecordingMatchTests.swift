import Recordings
import Documents
import Effects
import HTTPTypes
import OAuth
import SimulatedWorld
import Synchronization
import Testing

/// Tests recordings with exact numbers and invalid signatures, full disks, and long recordings.
@Suite struct ExactRecordingTests {
  static let head = HostileRecordingTests.head

  static func request(_ url: String, body: String? = nil) throws -> RequestMessage {
    guard let body else { return try #require(RequestMessage(url: url)) }
    return try #require(
      RequestMessage(method: .post, url: url, headers: [.contentType: "application/json"], body: Array(body.utf8)))
  }

  static func recorded(_ exchanges: [(RequestMessage, String)]) async throws -> String {
    let simulation = Simulation()
    let lines = Mutex<[UInt8]>([])
    let recorder = RecordingWriter(clock: simulation.clock, tool: "tests", platform: "live") { line in
      lines.withLock { $0 += line }
    }
    let responses = Mutex(exchanges.map(\.1))
    let transport = recorder.recording(
      StubTransport { _ in .json(responses.withLock { $0.removeFirst() }) } as any HTTPTransport)
    let requests = exchanges.map(\.0)
    try await simulation.run { for request in requests { _ = try await transport.send(request) } }
    return String(decoding: lines.withLock { $0 }, as: UTF8.self)
  }

  // MARK: Digits

  static let numbers = [
    "123456789012345678901234567890", "-123456789012345678901234567890", "9223372036854775808", "18446744073709551615",
    "0.1234567890123456789012345", "1.00000000000000000000000001e-7", "9223372036854775807", "1.5", "-0", "1e3",
  ]

  @Test("replays numbers with all digits", arguments: numbers)
  func exactNumbers(number: String) async throws {
    let body = #"{"a":[{"n":NUMBER}],"text":"NUMBER"}"#.replacing("NUMBER", with: number)
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), body)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let replayed = try await platform.transport.send(try Self.request("https://a.test/"))
    let text = String(decoding: replayed.body, as: UTF8.self)
    // `JSON` stores 64-bit numbers as values, so it normalizes their notation.
    let spelled = ["-0": "0", "1e3": "1000"][number] ?? number
    #expect(
      text == #"{"a":[{"n":NUMBER}],"text":"TEXT"}"#.replacing("NUMBER", with: spelled).replacing("TEXT", with: number))
  }

  @Test(
    "records an expiry time outside the valid range unchanged",
    arguments: ["-9223372036854775808", "9223372036854775807"])
  func invalidExpiry(number: String) async throws {
    let body = #"{"access_token":"opaque-Zx81kqPw","expires_on":"NUMBER","not_before":NUMBER}"#
      .replacing("NUMBER", with: number)
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), body)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let replayed = try JSON(parsing: try await platform.transport.send(try Self.request("https://a.test/")).body)
    #expect(replayed["expires_on"]?.string == number)
    #expect(replayed["not_before"]?.integer == Int64(number))
  }

  @Test("matches a large number only if all digits are equal")
  func largeNumbers() async throws {
    let sent = #"{"id":123456789012345678901234567890}"#
    let other = #"{"id":123456789012345678901234567891}"#
    let recording = try await Self.recorded([(try Self.request("https://a.test/", body: sent), "{}")])
    #expect(recording.contains("‹number 123456789012345678901234567890›"))
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let wrong = try Self.request("https://a.test/", body: other)
    await #expect(throws: TransportFailure.self) { try await platform.transport.send(wrong) }
    #expect(platform.unmatchedRequests.first?.differences.map(\.part) == ["body.id"])
    #expect(platform.unmatchedRequests.first?.differences.first?.sent == "123456789012345678901234567891")
    #expect(try await platform.transport.send(try Self.request("https://a.test/", body: sent)).head.status.code == 200)
  }

  @Test("replays text that looks like a placeholder without changes")
  func placeholderText() async throws {
    let body = #"{"a":"‹number 123456789012345678901›","b":"‹access token #1›"}"#
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), body)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let replayed = try await platform.transport.send(try Self.request("https://a.test/"))
    #expect(String(decoding: replayed.body, as: UTF8.self) == body)
  }

  @Test("sorts the keys of every line")
  func sortedKeys() async throws {
    let recording = try await Self.recorded([
      (
        try Self.request("https://a.test/?z=1&a=2", body: #"{"z":1,"a":{"y":1,"b":2}}"#),
        #"{"z":1,"a":[{"d":1,"c":2}]}"#
      )
    ])
    for line in recording.split(separator: "\n") { #expect(try JSON(parsing: Array(line.utf8)).text() == line) }
    #expect(recording.contains(#""json":{"a":{"b":2,"y":1},"z":1}"#))
  }

  // MARK: Signatures

  /// When a client validates a recorded token during replay, the result must be the same as in the recorded run.
  @Test("replays an invalid signature as invalid", arguments: [true, false], [true, false])
  func invalidSignature(isWrong: Bool, keysFirst: Bool)
    async throws
  {
    let right = try #require(RecordingRoundTripTests.key)
    let wrong = try SigningKey(p256: Array("attacker's sample P-256 test key".utf8), keyID: "k1")
    let token = try (isWrong ? wrong : right).token(["iss": "https://id.example.test", "sub": "u1"])
    let keys = (try Self.request("https://a.test/keys"), JWKSet([right.publicKey]).json.text())
    let body = (try Self.request("https://a.test/token", body: "{}"), SecrecyTests.text(["id_token": .string(token)]))
    let recording = try await Self.recorded(keysFirst ? [keys, body] : [body, keys])
    #expect(recording.contains("badlySigned") == isWrong)
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let replayed = try JSON(parsing: try await platform.transport.send(body.0).body)
    let set = try #require(JWKSet(try JSON(parsing: try await platform.transport.send(keys.0).body)))
    let jwt = try UnverifiedJWT(parsing: try #require(replayed["id_token"]?.string))
    if isWrong {
      #expect(throws: SignatureValidationError.signature) { try set.verify(jwt) }
    } else {
      try set.verify(jwt)
    }
  }

  // MARK: A full disk

  @Test("keeps complete lines when the disk is full")
  func fullDisk() async throws {
    let simulation = Simulation()
    let lines = Mutex<[[UInt8]]>([])
    let recorder = RecordingWriter(clock: simulation.clock, tool: "tests", platform: "live") {
      line throws(FileFailure) in
      let isFull = lines.withLock { lines in
        if lines.count >= 3 { return true }
        lines.append(line)
        return false
      }
      if isFull { throw .noSpace("t.jsonl") }
    }
    let transport = recorder.recording(StubTransport { _ in .json("{}") } as any HTTPTransport)
    try await simulation.run {
      // The run continues, because a full disk must not stop a sign-in.
      for number in 0..<5 { _ = try await transport.send(try Self.request("https://a.test/\(number)")) }
    }
    #expect(recorder.failure == .noSpace("t.jsonl"))
    let text = lines.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }.joined()
    let platform = try RecordingRoundTripTests.platform(text, Simulation())
    #expect(platform.unused == ["GET https://a.test/0", "GET https://a.test/1"])
  }

  // MARK: Long recordings

  /// Uses each of many tokens once. If every request processed all tokens, this test would take hours.
  @Test("replays a long recording in linear time", .timeLimit(.minutes(3)))
  func longRecording() async throws {
    let count = 20_000
    var text = Self.head
    for number in 0..<count {
      text +=
        #"{"at":\#(number),"kind":"exchange","issued":{"access token #\#(number + 1)":{"length":32}},"request":{"method":"POST","url":"https://a.test/token","form":{"n":"\#(number % 3)","state":"‹state #\#(number + 1)›"}},"response":{"status":200,"json":{"access_token":"‹access token #\#(number + 1)›"}}}"#
        + "\n"
    }
    let platform = try RecordingRoundTripTests.platform(text, Simulation())
    var tokens: Set<String> = []
    for number in 0..<3_000 {
      let form: Parameters = [
        "n": "\(number % 3)", "state": "states with a common prefix and suffix: \(number), as usual",
      ]
      let request = try RecordingRoundTripTests.post("https://a.test/token", form)
      tokens.insert(String(decoding: try await platform.transport.send(request).body, as: UTF8.self))
    }
    #expect(tokens.count == 3_000)
    #expect(platform.unmatchedRequests.isEmpty)
  }
}
