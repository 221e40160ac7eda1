import Recordings
import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

/// Whatever is secret, and however it is written, stays out of the recording; what is not secret stays in it.
@Suite struct SecrecyTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var secret: String
    /// What goes over the wire, given the secret.
    var exchange: @Sendable (String) throws -> (RequestMessage, ResponseMessage)
  }

  static func post(_ form: Parameters, answer: String = "{}", headers: HTTPFields = [:]) throws -> (
    RequestMessage, ResponseMessage
  ) {
    var response = ResponseMessage.json(answer)
    for field in headers { response.head.headerFields.append(field) }
    return (try RecordingRoundTripTests.post("https://id.example.test/token", form), response)
  }

  static func text(_ json: JSON) -> String { json.text() }

  static func name(_ text: String) throws -> HTTPField.Name { try #require(HTTPField.Name(text)) }

  static let cases: [Case] = [
    Case(testDescription: "a device code", secret: "DAQABAAEAAAAtn0/9-x+Zq51Ab~device") {
      try post(
        ["grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": $0],
        answer: text(["device_code": .string($0), "user_code": "WDJB-MJHT", "interval": 5]))
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
    Case(testDescription: "a cookie that is set", secret: "1.AQMAqk8s-cookie/value+0123456789") {
      try post([:], headers: [.setCookie: "ESTSAUTHPERSISTENT=\($0); path=/; HttpOnly"])
    },
    Case(testDescription: "a cookie that is sent", secret: "0.AQcookie-that-is-sent/99+7531") {
      var (request, response) = try post([:])
      request.head.headerFields[.cookie] = "lang=en; ESTSAUTH=\($0)"
      response.body = Array("{\"seen\":\"\($0)\"}".utf8)
      return (request, response)
    },
    Case(testDescription: "the seed of an authenticator", secret: "JBSWY3DPEHPK3PXPJBSWY3DP") {
      try post([:], answer: text(["totpSeed": .string($0), "uri": .string("otpauth://totp/x?secret=\($0)&digits=6")]))
    },
    Case(testDescription: "a refresh token", secret: "0.AXYA-refresh/token+with=marks_0123456789") {
      try post(["grant_type": "refresh_token", "refresh_token": $0], answer: text(["refresh_token": .string($0)]))
    },
  ]

  /// Every way in which a secret may stand in something longer.
  static func forms(_ secret: String) throws -> [String] {
    let bytes = Array(secret.utf8)
    let claims: JSON = ["iss": "https://id.example.test", "note": .string(secret)]
    let jwt = try #require(RecordingRoundTripTests.key).token(claims)
    return [
      secret, FormCoding.encode(secret), FormCoding.percentEncode(secret), Base64.encode(bytes),
      Base64URL.encode(bytes), lowerPercent(secret),
      FormCoding.percentEncode(secret).replacing("%2F", with: "/"), secret.replacing("/", with: "\\/"),
      FormCoding.percentEncode(FormCoding.percentEncode(secret)), secret.replacing("+", with: "&#43;"),
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
      Base64.encode([1] + bytes + [2]), Base64URL.encode([1, 2] + bytes + [3]), jwt,
    ]
  }

  /// Percent-encoded with lower-case digits.
  static func lowerPercent(_ text: String) -> String {
    FormCoding.percentEncode(text).replacing(/%[0-9A-F]{2}/) { $0.output.lowercased() }
  }

  static func recording(of exchange: (RequestMessage, ResponseMessage), then texts: [String]) async throws -> String {
    let simulation = Simulation()
    let lines = Mutex<[UInt8]>([])
    let recorder = RecordingWriter(clock: simulation.clock, tool: "tests", platform: "live") { line in
      lines.withLock { $0 += line }
    }
    let answers = Mutex(
      [exchange.1] + texts.map { ResponseMessage.json(Self.text(["text": .string("before \($0) after")])) })
    let transport = recorder.recording(
      StubTransport { _ in answers.withLock { $0.removeFirst() } } as any HTTPTransport)
    try await simulation.run {
      _ = try await transport.send(exchange.0)
      for _ in texts {
        _ = try await transport.send(try #require(RequestMessage(url: "https://api.example.test/echo")))
      }
    }
    return String(decoding: lines.withLock { $0 }, as: UTF8.self)
  }

  @Test(arguments: cases) func aSecretStaysOutOfTheRecordingInEveryForm(_ one: Case) async throws {
    let forms = try Self.forms(one.secret)
    let recording = try await Self.recording(of: one.exchange(one.secret), then: forms)
    let opened = RecordingRoundTripTests.opened(recording)
    for form in forms.dropLast() { #expect(!opened.contains(form), "\(form)") }
    #expect(!recording.contains(try #require(forms.last)))
    #expect(!RecordingRoundTripTests.holds(opened, one.secret))
    // The search finds it where it is, so that finding nothing says something.
    let wire = RecordingRoundTripTests.opened(forms.joined(separator: "\n"))
    #expect(RecordingRoundTripTests.holds(wire, one.secret))
    // What is around it stays.
    #expect(recording.split(separator: "\n").count == forms.count + 2)
    #expect(recording.contains("before ‹"))
  }

  /// The same search on the same exchanges, where nothing is secret: it finds the words, so it would have found a secret.
  @Test func whatIsNotSecretStaysOnTheRecording() async throws {
    let word = "a harmless remark/with+marks 42"
    let exchange = try Self.post(
      ["grant_type": "refresh_token", "remark": word], answer: Self.text(["remark": .string(word)]))
    let recording = RecordingRoundTripTests.opened(
      try await Self.recording(of: exchange, then: try Self.forms(word).dropLast()))
    #expect(recording.components(of: word) >= 2)
    // A recording is JSON, so it escapes backslashes.
    for form in try Self.forms(word).dropLast() {
      #expect(recording.contains(form.replacing("\\", with: "\\\\")), "\(form)")
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
