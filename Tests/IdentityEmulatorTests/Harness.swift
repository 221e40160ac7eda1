import Directory
import Documents
import Effects
import HTTPTypes
import IdentityEmulator
import OAuth
import SimulatedWorld
import Synchronization
import Testing

/// A clock that the tests advance manually.
final class HandClock: WorldClock {
  private let time = Mutex(Instant(secondsSince1970: 1_735_689_600))

  var now: Instant { time.withLock { $0 } }

  func sleep(for duration: Duration) async throws { advance(by: duration) }

  func advance(by duration: Duration) { time.withLock { $0 += duration } }
}

/// An emulator with a manual clock and a registered app.
final class Stage: Sendable {
  static let clientID = "6731de76-14a6-49ae-97bc-6eba6914391e"
  static let redirect = "msauth.com.contoso.graphtutorial://auth"
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-verifier"

  let clock = HandClock()
  let randomness: any Randomness
  let emulator: IdentityPlatformEmulator

  init(
    directory: EmulatedDirectory = .contoso, snapshot: JSON? = nil, servesEveryHost: Bool = false, seed: UInt64 = 1,
    app: (inout RegisteredApp) -> Void = { _ in }
  ) {
    randomness = SeededRandomness(seed: seed)
    emulator = IdentityPlatformEmulator(
      directory: directory, clock: clock, randomness: randomness,
      options: .init(controlEnabled: true, servesEveryHost: servesEveryHost), snapshot: snapshot)
    var registered = RegisteredApp(
      appId: Self.clientID, publicRedirectUris: [Self.redirect, "http://localhost"],
      permissions: ["User.Read", "Calendars.Read"])
    app(&registered)
    emulator.register(app: registered)
  }

  func send(
    _ method: HTTPRequest.Method = .get, _ url: String, headers: HTTPFields = [:], body: [UInt8] = []
  ) async throws -> ResponseMessage {
    let request = try #require(RequestMessage(method: method, url: url, headers: headers, body: body))
    return await emulator.respond(to: request)
  }

  func json(_ url: String, bearer: String? = nil) async throws -> JSON {
    let response = try await send(.get, url, headers: bearer.map { [.authorization: "Bearer \($0)"] } ?? [:])
    return try JSON(parsing: response.body)
  }

  /// Posts a form with the client ID to a path of the login host.
  func post(_ path: String, _ form: Parameters) async throws -> JSON {
    let body = Array(FormCoding.serialize(["client_id": Self.clientID] + form).utf8)
    let response = try await send(
      .post, "https://login.microsoftonline.com/\(path)", headers: [.contentType: FormCoding.mediaType], body: body)
    return try JSON(parsing: response.body)
  }

  /// Posts a form to the token endpoint.
  func token(
    _ form: Parameters, tenant: String = "common", headers: HTTPFields = [:], host: String = "login.microsoftonline.com"
  ) async throws -> (status: Int, json: JSON, headers: HTTPFields) {
    var headers = headers
    headers[.contentType] = FormCoding.mediaType
    let response = try await send(
      .post, "https://\(host)/\(tenant)/oauth2/v2.0/token", headers: headers,
      body: Array(FormCoding.serialize(form).utf8))
    return (response.head.status.code, try JSON(parsing: response.body), response.head.headerFields)
  }

  func simulate(_ events: JSON) async throws {
    let response = try await send(
      .post, "https://login.microsoftonline.com/_authflow/events", headers: [.contentType: "application/json"],
      body: Array(events.text().utf8))
    try #require(response.head.status.code == 200, "\(String(decoding: response.body, as: UTF8.self))")
  }

  static func authorizeURL(
    scope: String = "openid profile offline_access User.Read", tenant: String = "common",
    host: String = "login.microsoftonline.com", changing changes: Parameters = [:], without: [String] = []
  ) -> String {
    var parameters: Parameters = [
      "client_id": clientID, "response_type": "code", "redirect_uri": redirect, "scope": scope, "state": "st&te=1",
      "nonce": "n-1", "code_challenge": PKCE.challenge(for: verifier, method: .s256), "code_challenge_method": "S256",
      "client_info": "1",
    ]
    for change in changes.entries { parameters.set(change.name, change.value) }
    for name in without { parameters.remove(name) }
    return "https://\(host)/\(tenant)/oauth2/v2.0/authorize?\(FormCoding.serialize(parameters))"
  }

  /// Signs in through the pages and redeems the code.
  func signIn(
    _ username: String = "megan@contoso.com", scope: String = "openid profile offline_access User.Read",
    tenant: String = "common", browser: PageWalker? = nil, changing changes: Parameters = [:]
  ) async throws -> JSON {
    let walker = browser ?? PageWalker(self)
    let end = try await walker.signIn(Self.authorizeURL(scope: scope, tenant: tenant, changing: changes), as: username)
    let code = try #require(end.parameters["code"], "\(walker.screens) \(end.parameters.entries)")
    return try await redeem(code, tenant: tenant).json
  }

  func redeem(
    _ code: String, tenant: String = "common", changing changes: Parameters = [:], headers: HTTPFields = [:]
  ) async throws -> (status: Int, json: JSON, headers: HTTPFields) {
    var form: Parameters = [
      "grant_type": "authorization_code", "client_id": Self.clientID, "code": code, "redirect_uri": Self.redirect,
      "code_verifier": Self.verifier, "client_info": "1",
    ]
    for change in changes.entries { form.set(change.name, change.value) }
    return try await token(form, tenant: tenant, headers: headers)
  }

  func refresh(
    _ tokens: JSON, scope: String = "openid profile offline_access User.Read", tenant: String = "common",
    changing changes: Parameters = [:]
  ) async throws -> (status: Int, json: JSON, headers: HTTPFields) {
    var form: Parameters = [
      "grant_type": "refresh_token", "client_id": Self.clientID,
      "refresh_token": tokens["refresh_token"]?.string ?? "", "scope": scope, "client_info": "1",
    ]
    for change in changes.entries { form.set(change.name, change.value) }
    return try await token(form, tenant: tenant)
  }
}

/// A minimal browser: stores cookies, follows redirects, and submits forms.
final class PageWalker: Sendable {
  struct Page: Sendable {
    var url: String
    var status: Int
    var html: String
    var headers: HTTPFields

    func meta(_ name: String) -> String? { html.between("<meta name=\"\(name)\" content=\"", "\"").first }
    var screen: String? { meta("authflow-screen") }
    var code: String? { meta("authflow-code") }
    var action: String? { html.between("action=\"", "\"").first.map(Self.unescape) }

    var hidden: Parameters {
      Parameters(
        html.between("<input type=\"hidden\" ", ">").map { text in
          Parameters.Entry(
            Self.unescape(text.between("name=\"", "\"").first ?? ""),
            Self.unescape(text.between("value=\"", "\"").first ?? ""))
        })
    }

    /// The selected scopes.
    var scopes: [String] {
      html.between("name=\"scope\" value=\"", "\"").map(Self.unescape)
    }

    static func unescape(_ text: String) -> String {
      text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&#39;", with: "'").replacing("&amp;", with: "&")
    }
  }

  enum Step: Sendable {
    case page(Page)
    /// The platform redirected the browser to a URL outside the platform.
    case left(to: String)

    var page: Page? { if case .page(let page) = self { page } else { nil } }
    var parameters: Parameters {
      guard case .left(let url) = self else { return Parameters() }
      let reference = URLReference(url)
      return reference.parameters + FormCoding.parse(reference.fragment ?? "")
    }
  }

  private let stage: Stage
  private let cookies = Mutex<[String: [String: String]]>([:])
  private let received = Mutex<[String]>([])
  private let given = Mutex<[String]>([])

  init(_ stage: Stage) { self.stage = stage }

  var screens: [String] { received.withLock { $0 } }
  /// All received `Set-Cookie` fields.
  var setCookies: [String] { given.withLock { $0 } }

  /// Copies the cookies from another browser.
  func copyCookies(from other: PageWalker) {
    let planted = other.cookies.withLock { $0 }
    cookies.withLock { $0 = planted }
  }

  func get(_ url: String) async throws -> Step { try await go(.get, url, body: nil) }

  func send(_ page: Page, _ fields: Parameters) async throws -> Step {
    try await go(.post, try #require(page.action), body: page.hidden + fields)
  }

  /// - Parameter extra: Additional headers for the first request.
  func go(
    _ method: HTTPRequest.Method, _ url: String, body: Parameters?, headers extra: HTTPFields = [:]
  ) async throws -> Step {
    var (method, url, body) = (method, url, body)
    for _ in 0..<10 {
      let host = URLReference(url).host ?? ""
      guard url.hasPrefix("http"), stage.emulator.serves(host: host),
        host != "localhost" || url.contains("login") || url.contains("oauth2")
      else { return .left(to: url) }
      var headers = extra
      let jar = cookies.withLock { $0[host] ?? [:] }
      if !jar.isEmpty { headers[.cookie] = jar.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: "; ") }
      if body != nil { headers[.contentType] = FormCoding.mediaType }
      let response = try await stage.send(
        method, url, headers: headers, body: body.map { Array(FormCoding.serialize($0).utf8) } ?? [])
      for cookie in response.head.headerFields[values: .setCookie] {
        given.withLock { $0.append(cookie) }
        let pair = cookie.prefix { $0 != ";" }
        let name = pair.prefix { $0 != "=" }
        cookies.withLock { $0[host, default: [:]][String(name)] = String(pair.dropFirst(name.count + 1)) }
      }
      if let location = response.head.headerFields[.location] {
        (method, url, body) = (.get, location, nil)
        continue
      }
      let page = Page(
        url: url, status: response.head.status.code, html: String(decoding: response.body, as: UTF8.self),
        headers: response.head.headerFields)
      if let screen = page.screen { received.withLock { $0.append(screen) } }
      return .page(page)
    }
    Issue.record("too many redirects")
    return .left(to: url)
  }

  /// Completes all pages of a sign-in and accepts consent.
  func signIn(_ url: String, as username: String, password: String? = nil) async throws -> Step {
    let name = username.prefix { $0 != "@" }
    let password = password ?? "Fake-\(name.prefix(1).uppercased())\(name.dropFirst())-1"
    var step = try await get(url)
    for _ in 0..<10 {
      guard case .page(let page) = step, page.action != nil, page.screen != nil, page.screen != "error" else {
        return step
      }
      if page.code != nil, page.screen != "changePassword" { return step }
      step = try await send(page, fields(for: page, username, password))
    }
    return step
  }

  private func fields(for page: Page, _ username: String, _ password: String) -> Parameters {
    switch page.screen {
    case "pickAccount": ["account": page.html.contains("value=\"\(username)\"") ? username : "another"]
    case "username":
      page.html.contains("name=\"passwd\"") ? ["loginfmt": username, "passwd": password] : ["loginfmt": username]
    case "password": ["passwd": password]
    case "mfa":
      page.html.contains("name=\"otc\"")
        ? ["otc": OneTimeCode.code(seed: EmulatedDirectory.ottosSeed, at: stage.clock.now) ?? ""] : ["mfa": "approve"]
    case "consent":
      ["consent": "accept"] + Parameters(page.scopes.map { Parameters.Entry("scope", $0) })
    case "changePassword": ["newpassword": "Fake-New-Password-2", "confirmpassword": "Fake-New-Password-2"]
    default: ["cancel": "true"]
    }
  }
}

extension String {
  /// Returns all strings between two delimiters.
  func between(_ start: String, _ end: String) -> [String] {
    var found: [String] = []
    var rest = self[...]
    while let first = rest.firstRange(of: start), let last = rest[first.upperBound...].firstRange(of: end) {
      found.append(String(rest[first.upperBound..<last.lowerBound]))
      rest = rest[last.upperBound...]
    }
    return found
  }
}
