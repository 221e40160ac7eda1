import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization

/// A small authorization server for tests: it answers discovery and keys properly, and token requests as told.
final class FakePlatform: Browser, Sendable {
  static let clientID = "8f2c6d1e-0000-4000-8000-000000000001"
  static let uid = "11111111-0000-4000-8000-000000000001"
  static let utid = "22222222-0000-4000-8000-000000000002"
  static let home = "\(uid).\(utid)"
  static let redirectURI = "msauth.com.contoso.mail://auth"

  typealias Answer = @Sendable (Parameters, FakePlatform) throws -> ResponseMessage

  struct State {
    var now: @Sendable () -> Instant = { Simulation.start }
    var tokenRequests: [Parameters] = []
    var requests: [String: Int] = [:]
    /// Everything that was asked, in order.
    var messages: [RequestMessage] = []
    /// Answers in place of the usual ones, by kind of endpoint.
    var special: [String: @Sendable () throws -> ResponseMessage] = [:]
    var answers: [Answer] = []
    var visits: [BrowserVisit] = []
    var nonce: String?
    var key = 1
    var publishedKey = 1
    /// Changes the claims of the next ID tokens.
    var claims: @Sendable (inout JSON) -> Void = { _ in }
    /// Changes the redirect.
    var redirect: @Sendable (inout Parameters) -> Void = { _ in }
    var ending: BrowserOutcome.Result?
    /// Endings of the next visits, before `ending`.
    var endings: [BrowserOutcome.Result] = []
    var instanceDiscovery: ResponseMessage?
    var metadata: @Sendable (inout JSON) -> Void = { _ in }
    var issued = 0
    /// The port that the browser chooses for a loopback redirect.
    var port: Int?
  }

  let state = Mutex(State())

  func with<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result { state.withLock(body) }

  // MARK: Answers

  func respond(_ request: RequestMessage) throws -> ResponseMessage {
    let url = URLReference(request.url)
    let kind = Self.kind(url.path)
    let special = state.withLock { state in
      state.requests[kind, default: 0] += 1
      state.messages.append(request)
      return state.special[kind]
    }
    if let special { return try special() }
    switch kind {
    case "instance":
      if let special = state.withLock({ $0.instanceDiscovery }) { return special }
      return .json(Self.instanceDiscovery)
    case "metadata": return metadata(url)
    case "keys":
      let generation = state.withLock { $0.publishedKey }
      return .json(JWKSet([Self.key(generation).publicKey]).json.text())
    case "token":
      let form = FormCoding.parse(body: request.body)
      let answer = state.withLock { state in
        state.tokenRequests.append(form)
        return state.answers.isEmpty ? nil : state.answers.removeFirst()
      }
      return try answer?(form, self) ?? tokens(for: form)
    case "devicecode":
      return .json(
        #"{"device_code":"dc","user_code":"ABCD","verification_uri":"https://microsoft.com/devicelogin","expires_in":900,"interval":5,"message":"go"}"#
      )
    case "userinfo": return .json(#"{"sub":"subject-1","name":"Megan"}"#)
    default: return ResponseMessage(.notFound)
    }
  }

  static func kind(_ path: String) -> String {
    if path.hasSuffix("/discovery/instance") { return "instance" }
    if path.hasSuffix("/openid-configuration") { return "metadata" }
    if path.hasSuffix("/keys") { return "keys" }
    if path.hasSuffix("/token") { return "token" }
    if path.hasSuffix("/devicecode") { return "devicecode" }
    if path.hasSuffix("/userinfo") { return "userinfo" }
    return path
  }

  func count(_ kind: String) -> Int { state.withLock { $0.requests[kind] ?? 0 } }

  /// All requests, of whatever kind.
  var total: Int { state.withLock { $0.messages.count } }

  /// The last request of a kind.
  func last(_ kind: String) -> RequestMessage? {
    state.withLock { $0.messages.last { Self.kind(URLReference($0.url).path) == kind } }
  }

  private func metadata(_ url: URLReference) -> ResponseMessage {
    let tenant = url.pathSegments.first ?? ""
    let issuer = ["common", "organizations"].contains(tenant) ? "{tenantid}" : Self.utid
    let base = "https://\(url.authority ?? "")/\(tenant)"
    var json: JSON = [
      "issuer": .string("https://login.microsoftonline.com/\(issuer)/v2.0"),
      "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
      "token_endpoint": .string("\(base)/oauth2/v2.0/token"), "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
      "device_authorization_endpoint": .string("\(base)/oauth2/v2.0/devicecode"),
      "end_session_endpoint": .string("\(base)/oauth2/v2.0/logout"),
      "userinfo_endpoint": "https://graph.microsoft.com/oidc/userinfo",
    ]
    state.withLock { $0.metadata }(&json)
    return .json(json.text())
  }

  static func key(_ generation: Int) -> SigningKey {
    do {
      return try SigningKey(p256: (0..<32).map { UInt8($0 + generation) }, keyID: "key-\(generation)")
    } catch {
      preconditionFailure("the test key is none: \(error)")
    }
  }

  /// A good answer, with tokens that are numbered.
  func tokens(for form: Parameters, _ change: (inout JSON) -> Void = { _ in }) -> ResponseMessage {
    let (number, generation, change2) = state.withLock { state in
      state.issued += 1
      return (state.issued, state.key, state.claims)
    }
    var claims = idTokenClaims(form)
    change2(&claims)
    var json: JSON = [
      "token_type": "Bearer", "expires_in": 3600, "access_token": .string("access-\(number)"),
      "refresh_token": .string("refresh-\(number)"),
      "scope": .string(
        ScopeSet(parsing: form["scope"] ?? "User.Read openid profile").subtracting(["offline_access"]).text),
      "client_info": .string(ClientInfo(uid: Self.uid, utid: Self.utid).encoded),
    ]
    json["id_token"] = (try? Self.key(generation).token(claims)).map { .string($0) }
    change(&json)
    return .json(json.text())
  }

  private func idTokenClaims(_ form: Parameters) -> JSON {
    let now = state.withLock { $0.now }().secondsSince1970
    var claims: JSON = [
      "iss": .string("https://login.microsoftonline.com/\(Self.utid)/v2.0"), "sub": "subject-1",
      "aud": .string(Self.clientID), "exp": .integer(now + 3600), "iat": .integer(now), "nbf": .integer(now),
      "tid": .string(Self.utid), "oid": .string(Self.uid), "preferred_username": "megan@contoso.com",
      "name": "Megan Bowen",
    ]
    if form["grant_type"] == "authorization_code", let nonce = state.withLock({ $0.nonce }) {
      claims["nonce"] = .string(nonce)
    }
    return claims
  }

  static func refusal(
    _ error: String, suberror: String? = nil, status: HTTPResponse.Status = .badRequest, codes: [Int] = [],
    headers: HTTPFields = [:], claims: String? = nil
  ) -> Answer {
    { _, _ in
      .json(
        OAuthError(
          error, description: "AADSTS\(codes.first ?? 1): refused", suberror: suberror, errorCodes: codes,
          claims: claims
        ).json.text(), status: status, headers: headers)
    }
  }

  static let instanceDiscovery = #"""
    {"tenant_discovery_endpoint":"https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
    "metadata":[{"preferred_network":"login.microsoftonline.com","preferred_cache":"login.windows.net","aliases":
    ["login.microsoftonline.com","login.windows.net","login.microsoft.com","sts.windows.net"]},
    {"preferred_network":"login.microsoftonline.us","preferred_cache":"login.microsoftonline.us","aliases":
    ["login.microsoftonline.us","login.usgovcloudapi.net"]}]}
    """#

  // MARK: The browser

  func redirectURI(for registered: String) async -> String {
    state.withLock { state in
      state.port.map { registered.replacing("localhost", with: "localhost:\($0)") } ?? registered
    }
  }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let query = URLReference(visit.url).parameters
    let (ending, change) = state.withLock { state in
      state.visits.append(visit)
      if visit.purpose == .signIn { state.nonce = query["nonce"] }
      return (state.endings.isEmpty ? state.ending : state.endings.removeFirst(), state.redirect)
    }
    if let ending { return BrowserOutcome(ending, screens: ["username"], pageError: nil) }
    guard visit.purpose == .signIn else {
      let state = query["state"] ?? ""
      return BrowserOutcome(
        visit.redirectURI.map { .redirected(url: "\($0)?state=\(state)") } ?? .finished, screens: ["signedOut"])
    }
    var answer: Parameters = ["code": "code-1", "state": query["state"] ?? ""]
    change(&answer)
    let url = URLReference(visit.redirectURI ?? "").appending(answer).text
    return BrowserOutcome(.redirected(url: url), screens: ["username", "password"])
  }
}

/// One application on a fake platform, in a simulated world.
struct Stage: Sendable {
  let platform: FakePlatform
  let simulation: Simulation
  let application: PublicClientApplication
  let store: MemoryBlobStore
  let events: EventLog

  init(
    authority: String = "https://login.microsoftonline.com/common", store: MemoryBlobStore = MemoryBlobStore(),
    platform: FakePlatform = FakePlatform(), transport: (any HTTPTransport)? = nil,
    process: ClientProcess = ClientProcess(), simulation: Simulation = Simulation(),
    clock: (any WorldClock)? = nil,
    configure: (inout PublicClientConfiguration) throws -> Void = { _ in }
  ) throws {
    let events = EventLog()
    var configuration = PublicClientConfiguration(
      clientID: FakePlatform.clientID, authority: try Authority(parsing: authority), bundleID: "com.contoso.mail")
    try configure(&configuration)
    var world = simulation.world
    if let clock { world.clock = clock }
    let now = world.clock
    platform.state.withLock { $0.now = { now.now } }
    self.platform = platform
    self.simulation = simulation
    self.store = store
    self.events = events
    application = try PublicClientApplication(
      configuration: configuration, world: world,
      http: transport
        ?? StubTransport { request in
          // Long enough that requests of the same moment overlap.
          try await simulation.clock.sleep(for: .milliseconds(1))
          return try platform.respond(request)
        }, browser: platform, store: store,
      trace: TraceRecorder(clock: simulation.clock) { event in events.add(event) }, process: process)
  }

  func signIn(_ scopes: [String] = ["User.Read"], _ change: (inout InteractiveParameters) -> Void = { _ in })
    async throws
    -> TokenResult
  {
    var parameters = InteractiveParameters(TokenParameters(scopes: scopes))
    change(&parameters)
    let prepared = parameters
    return try await simulation.run { try await application.acquireToken(prepared) }
  }

  func silent(
    _ scopes: [String] = ["User.Read"], account: Account? = Stage.megan,
    _ change: (inout SilentParameters) -> Void = { _ in }
  ) async throws -> TokenResult {
    var parameters = SilentParameters(TokenParameters(scopes: scopes, account: account))
    change(&parameters)
    let prepared = parameters
    return try await simulation.run { try await application.acquireTokenSilent(prepared) }
  }

  /// What a silent call fails with.
  func silentFailure(
    _ scopes: [String] = ["User.Read"], account: Account? = Stage.megan,
    _ change: (inout SilentParameters) -> Void = { _ in }
  ) async -> MSALError? {
    do {
      _ = try await silent(scopes, account: account, change)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  func signInFailure(_ scopes: [String] = ["User.Read"], _ change: (inout InteractiveParameters) -> Void = { _ in })
    async
    -> MSALError?
  {
    do {
      _ = try await signIn(scopes, change)
      return nil
    } catch {
      return error as? MSALError
    }
  }

  func wait(_ duration: Duration) async throws {
    try await simulation.run { try await simulation.clock.sleep(for: duration) }
  }

  func answer(_ answers: FakePlatform.Answer...) {
    platform.state.withLock { $0.answers += answers }
  }

  static let megan = Account(
    identifier: FakePlatform.home, username: "megan@contoso.com", environment: "login.windows.net")
}

/// The events of a trace, in order.
final class EventLog: Sendable {
  private let lines = Mutex<[JSON]>([])

  func add(_ event: TraceEvent) { lines.withLock { $0.append(event.json) } }

  var all: [JSON] { lines.withLock { $0 } }

  /// `subject verdict` of each decision.
  var decisions: [String] {
    all.filter { $0["kind"] == "decision" }.map { "\($0["subject"]?.string ?? "") \($0["verdict"]?.string ?? "")" }
  }

  var text: String { all.map { $0.text() }.joined(separator: "\n") }
}
