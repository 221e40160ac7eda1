import Recordings
import Documents
import Effects
import HTTPTypes
import OAuth
import SimulatedWorld
import Synchronization
import Testing

/// What a recording must not lose: digits, wrong signatures, whole lines, speed where it is long.
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
    let answers = Mutex(exchanges.map(\.1))
    let transport = recorder.recording(
      StubTransport { _ in .json(answers.withLock { $0.removeFirst() }) } as any HTTPTransport)
    let requests = exchanges.map(\.0)
    try await simulation.run { for request in requests { _ = try await transport.send(request) } }
    return String(decoding: lines.withLock { $0 }, as: UTF8.self)
  }

  // MARK: Digits

  static let numbers = [
    "123456789012345678901234567890", "-123456789012345678901234567890", "9223372036854775808", "18446744073709551615",
    "0.1234567890123456789012345", "1.00000000000000000000000001e-7", "9223372036854775807", "1.5", "-0", "1e3",
  ]

  @Test(arguments: numbers) func aNumberComesBackDigitForDigit(number: String) async throws {
    let answer = #"{"a":[{"n":NUMBER}],"text":"NUMBER"}"#.replacing("NUMBER", with: number)
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), answer)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let played = try await platform.transport.send(try Self.request("https://a.test/"))
    let text = String(decoding: played.body, as: UTF8.self)
    // Numbers of 64 bits are values, and have one spelling each.
    let spelled = ["-0": "0", "1e3": "1000"][number] ?? number
    #expect(
      text == #"{"a":[{"n":NUMBER}],"text":"TEXT"}"#.replacing("NUMBER", with: spelled).replacing("TEXT", with: number))
  }

  @Test("records an expiry that is not a moment as it is", arguments: ["-9223372036854775808", "9223372036854775807"])
  func expiryWithoutMeaning(number: String) async throws {
    let answer = #"{"access_token":"opaque-Zx81kqPw","expires_on":"NUMBER","not_before":NUMBER}"#
      .replacing("NUMBER", with: number)
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), answer)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let played = try JSON(parsing: try await platform.transport.send(try Self.request("https://a.test/")).body)
    #expect(played["expires_on"]?.string == number)
    #expect(played["not_before"]?.integer == Int64(number))
  }

  @Test func aRequestWithALargeNumberMatchesItselfAlone() async throws {
    let sent = #"{"id":123456789012345678901234567890}"#
    let other = #"{"id":123456789012345678901234567891}"#
    let recording = try await Self.recorded([(try Self.request("https://a.test/", body: sent), "{}")])
    #expect(recording.contains("‹number 123456789012345678901234567890›"))
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let wrong = try Self.request("https://a.test/", body: other)
    await #expect(throws: TransportFailure.self) { try await platform.transport.send(wrong) }
    #expect(platform.misses.first?.differences.map(\.part) == ["body.id"])
    #expect(platform.misses.first?.differences.first?.sent == "123456789012345678901234567891")
    #expect(try await platform.transport.send(try Self.request("https://a.test/", body: sent)).head.status.code == 200)
  }

  @Test func aTextThatLooksLikeAStandInStaysAText() async throws {
    let answer = #"{"a":"‹number 123456789012345678901›","b":"‹access token #1›"}"#
    let recording = try await Self.recorded([(try Self.request("https://a.test/"), answer)])
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let played = try await platform.transport.send(try Self.request("https://a.test/"))
    #expect(String(decoding: played.body, as: UTF8.self) == answer)
  }

  @Test func theKeysOfEveryLineAreSorted() async throws {
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

  /// Whoever checks a recorded token's signature must see the same when it is played.
  @Test(arguments: [true, false], [true, false]) func aWrongSignatureIsWrongAgain(isWrong: Bool, keysFirst: Bool)
    async throws
  {
    let right = try #require(RecordingRoundTripTests.key)
    let wrong = try SigningKey(p256: Array("an impostor's worthless test key".utf8), keyID: "k1")
    let token = try (isWrong ? wrong : right).token(["iss": "https://id.example.test", "sub": "u1"])
    let keys = (try Self.request("https://a.test/keys"), JWKSet([right.publicKey]).json.text())
    let answer = (try Self.request("https://a.test/token", body: "{}"), SecrecyTests.text(["id_token": .string(token)]))
    let recording = try await Self.recorded(keysFirst ? [keys, answer] : [answer, keys])
    #expect(recording.contains("badlySigned") == isWrong)
    let platform = try RecordingRoundTripTests.platform(recording, Simulation())
    let played = try JSON(parsing: try await platform.transport.send(answer.0).body)
    let set = try #require(JWKSet(try JSON(parsing: try await platform.transport.send(keys.0).body)))
    let jwt = try UnverifiedJWT(parsing: try #require(played["id_token"]?.string))
    if isWrong {
      #expect(throws: SignatureValidationError.signature) { try set.verify(jwt) }
    } else {
      try set.verify(jwt)
    }
  }

  // MARK: A full disk

  @Test func aFullDiskKeepsTheWholeLinesThatWereRecorded() async throws {
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
      // The run goes on: a disk must not end a sign-in.
      for number in 0..<5 { _ = try await transport.send(try Self.request("https://a.test/\(number)")) }
    }
    #expect(recorder.failure == .noSpace("t.jsonl"))
    let text = lines.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) }.joined()
    let platform = try RecordingRoundTripTests.platform(text, Simulation())
    #expect(platform.unused == ["GET https://a.test/0", "GET https://a.test/1"])
  }

  // MARK: Long recordings

  /// Many tokens, each used once: were anything done for all of them at each request, this would take hours.
  @Test(.timeLimit(.minutes(3))) func aLongRecordingIsPlayedAsFastAsAShortOne() async throws {
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
      let form: Parameters = ["n": "\(number % 3)", "state": "states begin and end alike: \(number), as many do"]
      let request = try RecordingRoundTripTests.post("https://a.test/token", form)
      tokens.insert(String(decoding: try await platform.transport.send(request).body, as: UTF8.self))
    }
    #expect(tokens.count == 3_000)
    #expect(platform.misses.isEmpty)
  }
}
