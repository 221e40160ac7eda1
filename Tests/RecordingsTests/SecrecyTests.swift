import Recordings
import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

/// Tests that a recording does not contain secrets in any encoding, and that other values stay readable.
@Suite struct SecrecyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var secret: String
    /// The request and the response that contain the secret.
    var exchange: @Sendable (String) throws -> (RequestMessage, ResponseMessage)
  }

  static func post(_ form: Parameters, body: String = "{}", headers: HTTPFields = [:]) throws -> (
    RequestMessage, ResponseMessage
  ) {
    var response = ResponseMessage.json(body)
    for field in headers { response.head.headerFields.append(field) }
    return (try RecordingRoundTripTests.post("https://id.example.test/token", form), response)
  }

  static func text(_ json: JSON) -> String { json.text() }

  static func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

  static let cases: [Case] = [
    Case(testDescription: "a device code", secret: "DAQABAAEAAAAtn0/9-x+Zq51Ab~device") {
      try post(
        ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": $0],
        body: text(["device_code": .string($0), "user_code": "WDJB-MJHT", "interval": 5]))
    },
    Case(testDescription: "a client secret", secret: "x7Z8Q~client.secret_with~tildes-0123456789") {
      try post(["grant_type": "refresh_token", "client_secret": $0])
    },
    Case(testDescription: "a password", secret: "corr3ct horse+battery/staple") {
      try post(["grant_type": "password", "username": "u", "password": $0])
    },
    Case(testDescription: "a password in a header", secret: "bWU6c2Vzc2FtZTQy-basic") {
      var (request, response) = try post([:])
      request.head.headerFields[.authorization] = "Basic \($0)"
      response.head.headerFields[try name("x-echo")] = $0
      return (request, response)
    },
    Case(testDescription: "a cookie in a response", secret: "1.AQMAqk8s-cookie/value+0123456789") {
      try post([:], headers: [.setCookie: "ESTSAUTHPERSISTENT=\($0); path=/; HttpOnly"])
    },
    Case(testDescription: "a cookie in a request", secret: "0.AQcookie-that-is-sent/99+7531") {
      var (request, response) = try post([:])
      request.head.headerFields[.cookie] = "lang=en; ESTSAUTH=\($0)"
      response.body = Array("{\"received\":\"\($0)\"}".utf8)
      return (request, response)
    },
    Case(testDescription: "the seed of an authenticator", secret: "JBSWY3DPEHPK3PXPJBSWY3DP") {
      try post([:], body: text(["totpSeed": .string($0), "uri": .string("otpauth://totp/x?secret=\($0)&digits=6")]))
    },
    Case(testDescription: "a refresh token", secret: "0.AXYA-refresh/token+with=marks_0123456789") {
      try post(["grant_type": "refresh_token", "refresh_token": $0], body: text(["refresh_token": .string($0)]))
    },
  ]

  /// Returns the secret in all encodings. Some of these strings contain additional text.
  static func encodings(_ secret: String) throws -> [String] {
    let bytes = Array(secret.utf8)
    let claims: JSON = ["iss": "https://id.example.test", "note": .string(secret)]
    let jwt = try #require(RecordingRoundTripTests.key).token(claims)
    return [
      secret, FormCoding.encode(secret), PercentEncoding.encode(secret), Base64.encode(bytes),
      Base64URL.encode(bytes), lowerPercent(secret),
      PercentEncoding.encode(secret).replacing("%2F", with: "/"), secret.replacing("/", with: "\\/"),
      PercentEncoding.encode(PercentEncoding.encode(secret)), secret.replacing("+", with: "&#43;"),
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
      Base64.encode([1] + bytes + [2]), Base64URL.encode([1, 2] + bytes + [3]), jwt,
    ]
  }

  /// Percent-encodes text with lowercase hexadecimal digits.
  static func lowerPercent(_ text: String) -> String {
    PercentEncoding.encode(text).replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
  }

  static func recording(of exchange: (RequestMessage, ResponseMessage), then texts: [String]) async throws -> String {
    let simulation = Simulation()
    let lines = Mutex<[UInt8]>([])
    let recorder = RecordingWriter(clock: simulation.clock, tool: "tests", platform: "live") { line in
      lines.withLock { $0 += line }
    }
    let responses = Mutex(
      [exchange.1] + texts.map { ResponseMessage.json(Self.text(["text": .string("before \($0) after")])) })
    let transport = recorder.recording(
      StubTransport { _ in responses.withLock { $0.removeFirst() } } as any HTTPTransport)
    try await simulation.run {
      _ = try await transport.send(exchange.0)
      for _ in texts {
        _ = try await transport.send(try #require(RequestMessage(url: "https://api.example.test/echo")))
      }
    }
    return String(decoding: lines.withLock { $0 }, as: UTF8.self)
  }

  @Test("masks a secret in every encoding", arguments: cases)
  func maskedSecrets(_ one: Case) async throws {
    let encodings = try Self.encodings(one.secret)
    let recording = try await Self.recording(of: one.exchange(one.secret), then: encodings)
    let decodedText = RecordingRoundTripTests.decoded(recording)
    for encoding in encodings.dropLast() { #expect(!decodedText.contains(encoding), "\(encoding)") }
    #expect(!recording.contains(try #require(encodings.last)))
    #expect(!RecordingRoundTripTests.contains(decodedText, one.secret))
    // Verify that the search finds the secret in the traffic. Otherwise, the checks above would prove nothing.
    let wire = RecordingRoundTripTests.decoded(encodings.joined(separator: "\n"))
    #expect(RecordingRoundTripTests.contains(wire, one.secret))
    // The text around the secret must stay unchanged.
    #expect(recording.split(separator: "\n").count == encodings.count + 2)
    #expect(recording.contains("before ‹"))
  }

  /// Verifies the search with text that is not secret. If the search did not find this text, it would also miss
  /// secrets.
  @Test("does not mask values that are not secret")
  func otherValues() async throws {
    let word = "a harmless remark/with+marks 42"
    let exchange = try Self.post(
      ["grant_type": "refresh_token", "remark": word], body: Self.text(["remark": .string(word)]))
    let recording = RecordingRoundTripTests.decoded(
      try await Self.recording(of: exchange, then: try Self.encodings(word).dropLast()))
    #expect(recording.components(of: word) >= 2)
    // A recording is JSON, so it escapes backslashes.
    for encoding in try Self.encodings(word).dropLast() {
      #expect(recording.contains(encoding.replacing("\\", with: "\\\\")), "\(encoding)")
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
