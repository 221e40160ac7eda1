import Recordings
import Diagnostics
import Documents
import Effects
import HTTPTypes
import OAuth
import RunTrace
import SimulatedWorld
import Synchronization
import Testing

/// Records a session and replays it with new secrets and times.
@Suite struct RecordingRoundTripTests {
  /// A provider with one user. It returns a code for every authorization request and tokens for every code.
  struct RecordedRun {
    var text: String
    var wire: [String]
  }

  static let key = try? SigningKey(p256: Array("another sample P-256 test key ..".utf8), keyID: "k1")

  static func token(_ simulation: Simulation, nonce: String, accessToken: String) throws -> String {
    let now = simulation.clock.now.secondsSince1970
    return try #require(key).token([
      "iss": "https://id.example.test", "aud": "app", "sub": "u1", "nonce": .string(nonce), "iat": .integer(now),
      "exp": .integer(now + 3600),
      "at_hash": .string(
        Base64URL.encode((try Base64URL.decode(Thumbprint.sha256(accessToken))).prefix(16))),
    ])
  }

  static func post(_ url: String, _ form: Parameters) throws -> RequestMessage {
    try #require(
      RequestMessage(
        method: .post, url: url, headers: [.contentType: FormCoding.mediaType],
        body: Array(FormCoding.serialize(form).utf8)))
  }

  static let tokenURL = "https://id.example.test/token"

  /// Signs in, refreshes, and calls an API with the given transport and browser.
  static func session(
    _ http: any HTTPTransport, _ browser: any Browser, state: String, nonce: String
  ) async throws -> [JSON] {
    let query = FormCoding.serialize([
      "client_id": "app", "state": state, "nonce": nonce, "redirect_uri": "app://back", "code_challenge": "c-\(state)",
    ])
    let outcome = await browser.visit(
      BrowserVisit(
        url: "https://id.example.test/authorize?\(query)", redirectURI: "app://back", purpose: .signIn))
    guard case .redirected(let url) = outcome.result else { throw TransportFailure.offline("no redirect") }
    let redirect = ValidatedRedirect.parameters(of: url)
    #expect(redirect["state"] == state)
    let code = try #require(redirect["code"])
    let keys = try await http.send(try #require(RequestMessage(url: "https://id.example.test/keys")))
    let first = try JSON(
      parsing: try await http.send(
        post(tokenURL, ["grant_type": "authorization_code", "code": code, "code_verifier": "v-\(state)"])
      ).body)
    let refreshToken = try #require(first["refresh_token"]?.string)
    let second = try JSON(
      parsing: try await http.send(post(tokenURL, ["grant_type": "refresh_token", "refresh_token": refreshToken])).body)
    var call = try #require(RequestMessage(url: "https://api.example.test/me?$select=name"))
    call.head.headerFields[.authorization] = "Bearer \(second["access_token"]?.string ?? "")"
    let profile = try JSON(parsing: try await http.send(call).body)
    return [try JSON(parsing: keys.body), first, second, profile]
  }

  /// Records one session. Returns the recording and the traffic.
  static func record(state: String = "state-one-0123456789", nonce: String = "nonce-one-0123456789") async throws
    -> RecordedRun
  {
    let simulation = Simulation()
    let lines = Mutex<[UInt8]>([])
    let wire = Mutex<[String]>([])
    let count = Mutex(0)
    let transport = StubTransport { request in
      wire.withLock { $0.append(request.url + String(decoding: request.body, as: UTF8.self)) }
      let path = request.head.path ?? ""
      let body: JSON
      switch path {
      case "/keys": body = JWKSet([try #require(Self.key).publicKey]).json
      case "/token":
        let number = count.withLock { count in
          count += 1
          return count
        }
        let accessToken = "opaque+access/token=\(number)-Zx81kqPw"
        body = [
          "access_token": .string(accessToken), "refresh_token": .string("refresh token \(number) Ab9%2x"),
          "id_token": .string(try Self.token(simulation, nonce: nonce, accessToken: accessToken)), "expires_in": 3600,
          "expires_on": .integer(simulation.clock.now.secondsSince1970 + 3600),
        ]
      default: body = ["name": "Megan", "echo": .string(Base64.encode(Array("opaque+access/token=2-Zx81kqPw".utf8)))]
      }
      wire.withLock { $0.append(body.text()) }
      return .json(body.text())
    }
    let recorder = RecordingWriter(clock: simulation.clock, tool: "tests", platform: "emulated") { line in
      lines.withLock { $0 += line }
    }
    let browser = StubBrowser { visit in
      "app://back?code=the%2Bcode-77Hq2LmZ&state=\(URLReference(visit.url).parameters["state"] ?? "")"
    }
    let recordedTransport = recorder.recording(transport as any HTTPTransport)
    let recordedBrowser = recorder.recording(browser as any Browser)
    try await simulation.run {
      _ = try await Self.session(recordedTransport, recordedBrowser, state: state, nonce: nonce)
    }
    #expect(recorder.failure == nil)
    return RecordedRun(text: String(decoding: lines.withLock { $0 }, as: UTF8.self), wire: wire.withLock { $0 })
  }

  struct StubBrowser: Browser {
    let redirect: @Sendable (BrowserVisit) -> String
    func visit(_ visit: BrowserVisit) async -> BrowserOutcome { BrowserOutcome(.redirected(url: redirect(visit))) }
  }

  static func platform(_ text: String, _ simulation: Simulation) throws -> ReplayPlatform {
    let (recording, diagnostics) = Recording.read(Array(text.utf8), named: "recording.jsonl")
    return ReplayPlatform(
      try #require(recording, "\(diagnostics)"), clock: simulation.clock, randomness: simulation.world.randomness)
  }

  @Test("issues new tokens when it replays a recording from 400 days ago")
  func oldRecording() async throws {
    let recording = try await Self.record()
    let start = Simulation.start + .seconds(400 * 86_400)
    let simulation = Simulation(start: start, seed: "later")
    let platform = try Self.platform(recording.text, simulation)
    let responses = try await simulation.run {
      try await Self.session(platform.transport, platform.browser, state: "another-state-987654", nonce: "other-nonce")
    }
    #expect(platform.unmatchedRequests.isEmpty)
    #expect(platform.unused.isEmpty)
    let keys = try #require(JWKSet(responses[0]))
    let accessToken = try #require(responses[1]["access_token"]?.string)
    let checked = try ValidatedIDToken.check(
      Secret(try #require(responses[1]["id_token"]?.string), kind: .idToken), keys: keys,
      expecting: IDTokenValidationParameters(
        issuer: "https://id.example.test", clientID: "app", nonce: .mustEqual("other-nonce"),
        accessToken: Secret(accessToken, kind: .accessToken), now: start))
    #expect(checked.claims["iat"]?.integer == start.secondsSince1970)
    #expect(checked.claims["exp"]?.integer == start.secondsSince1970 + 3600)
    #expect(responses[1]["expires_in"] == 3600)
    #expect(responses[1]["expires_on"]?.integer == start.secondsSince1970 + 3600)
    #expect(responses[2]["access_token"] != responses[1]["access_token"])
    #expect(responses[3]["name"] == "Megan")
    #expect(!recording.wire.joined().contains(accessToken))
  }

  @Test("does not record secrets in any encoding")
  func noSecrets() async throws {
    let recording = try await Self.record()
    let secrets = [
      "opaque+access/token=1-Zx81kqPw", "opaque+access/token=2-Zx81kqPw", "refresh token 1 Ab9%2x", "the+code-77Hq2LmZ",
      "state-one-0123456789", "nonce-one-0123456789", "v-state-one-0123456789",
    ]
    let wire = Self.decoded(recording.wire.joined(separator: "\n"))
    let decodedText = Self.decoded(recording.text)
    for secret in secrets {
      #expect(Self.contains(wire, secret), "the search finds \(secret) in the traffic")
      #expect(!Self.contains(decodedText, secret), "the recording contains \(secret)")
    }
    #expect(!recording.text.contains(/eyJ[A-Za-z0-9_-]+\.eyJ/))
    #expect(recording.text.contains("‹access token #2›"))
  }

  /// Returns the text followed by its decoded Base64 content.
  static func decoded(_ text: String) -> String {
    let parts = text.split { !($0.isLetter || $0.isNumber || "+/=_-".contains($0)) }
    let inside = parts.filter { $0.utf8.count >= 8 }.compactMap { word in
      (try? Base64.decodeEitherAlphabet(word)).map { String(decoding: $0, as: UTF8.self) }
    }
    return text + "\n" + inside.joined(separator: "\n")
  }

  static func contains(_ text: String, _ secret: String) -> Bool {
    [secret, FormCoding.encode(secret), PercentEncoding.encode(secret)].contains { text.contains($0) }
  }

  @Test("reports an unmatched request and the closest recorded request without secrets")
  func unmatchedRequest() async throws {
    let recording = try await Self.record()
    let simulation = Simulation()
    let platform = try Self.platform(recording.text, simulation)
    let request = try Self.post(
      Self.tokenURL + "?slice=test", ["grant_type": "refresh_token", "refresh_token": "Hq8-never-given-out-3311"])
    await #expect(throws: TransportFailure.self) { try await platform.transport.send(request) }
    let unmatched = try #require(platform.unmatchedRequests.first)
    #expect(unmatched.message == "`POST https://id.example.test/token` is not in the recording")
    #expect(unmatched.differences.map(\.part) == ["query slice"])
    #expect(unmatched.place.start.line == 5)
    #expect(!"\(unmatched.differences)\(unmatched.diagnostic)".contains("Hq8-never"))
  }

  @Test("replays identical requests in order and rejects an additional request")
  func equalRequests() async throws {
    let lines = [
      #"{"recording":1,"recordedAt":"2025-01-01T00:00:00Z"}"#,
      #"{"at":0,"kind":"exchange","request":{"method":"POST","url":"https://a.test/poll"},"response":{"status":400}}"#,
      #"{"at":5,"kind":"exchange","request":{"method":"POST","url":"https://a.test/poll"},"response":{"status":200}}"#,
      #"{"at":6,"kind":"exchange","request":{"method":"GET","url":"https://a.test/open"},"response":{"status":204}}"#,
    ]
    let platform = try Self.platform(lines.joined(separator: "\n") + "\n", Simulation())
    let poll = try #require(RequestMessage(method: .post, url: "https://a.test/poll"))
    let open = try #require(RequestMessage(url: "https://a.test/open"))
    #expect(try await platform.transport.send(poll).head.status.code == 400)
    #expect(platform.unused == ["POST https://a.test/poll", "GET https://a.test/open"])
    #expect(try await platform.transport.send(poll).head.status.code == 200)
    await #expect(
      throws: TransportFailure.notRecorded(
        "`POST https://a.test/poll` is recorded 2 times but was sent again")
    ) { try await platform.transport.send(poll) }
    // An additional GET request without a token gets the last response again.
    for _ in 0..<3 { #expect(try await platform.transport.send(open).head.status.code == 204) }
  }
}
