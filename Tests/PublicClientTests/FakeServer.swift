import Documents
import Effects
import HTTPTypes
import IdentityPlatform
import OAuth
import PublicClient
import RunTrace
import SimulatedWorld
import Synchronization

/// A minimal authorization server and a browser that visits it. Tests can replace the server's responses.
final class FakeServer: Browser, Sendable {
  static let clientID = "8f2c6d1e-0000-4000-8000-000000000001"
  static let uid = "11111111-0000-4000-8000-000000000001"
  static let utid = "22222222-0000-4000-8000-000000000002"
  static let homeAccountID = "\(uid).\(utid)"
  static let redirectURI = "msauth.com.contoso.mail://auth"

  /// Responds to a token request.
  typealias Responder = @Sendable (Parameters, FakeServer) throws -> ResponseMessage

  struct State {
    var now: @Sendable () -> Instant = { Simulation.start }
    var tokenRequests: [Parameters] = []
    /// The number of requests, by endpoint.
    var requestCounts: [String: Int] = [:]
    /// All requests, in order.
    var requests: [RequestMessage] = []
    /// Responses that replace the default response, by endpoint.
    var overrides: [String: @Sendable () throws -> ResponseMessage] = [:]
    /// The responses to the next token requests.
    var responders: [Responder] = []
    var visits: [BrowserVisit] = []
    var nonce: String?
    var key = 1
    var publishedKey = 1
    /// Changes the claims of ID tokens.
    var claims: @Sendable (inout JSON) -> Void = { _ in }
    /// Changes the parameters of the redirect.
    var redirect: @Sendable (inout Parameters) -> Void = { _ in }
    /// The result of each visit, or nil for a redirect with a code.
    var browserResult: BrowserOutcome.Result?
    /// The results of the next visits. They take precedence over `browserResult`.
    var queuedBrowserResults: [BrowserOutcome.Result] = []
    var instanceDiscovery: ResponseMessage?
    /// Changes the discovery document.
    var metadata: @Sendable (inout JSON) -> Void = { _ in }
    /// The number of token responses.
    var issued = 0
    /// The port that the browser chooses for a loopback redirect.
    var port: Int?
  }

  let state = Mutex(State())

  func with<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result { state.withLock(body) }

  // MARK: Responses

  func respond(_ request: RequestMessage) throws -> ResponseMessage {
    let url = URLReference(request.url)
    let endpoint = Self.endpoint(ofPath: url.path)
    let override = state.withLock { state in
      state.requestCounts[endpoint, default: 0] += 1
      state.requests.append(request)
      return state.overrides[endpoint]
    }
    if let override { return try override() }
    switch endpoint {
    case "instance":
      if let response = state.withLock({ $0.instanceDiscovery }) { return response }
      return .json(Self.instanceDiscovery)
    case "metadata": return metadata(url)
    case "keys":
      let generation = state.withLock { $0.publishedKey }
      return .json(JWKSet([Self.key(generation).publicKey]).json.text())
    case "token":
      let form = FormCoding.parse(body: request.body)
      let responder = state.withLock { state in
        state.tokenRequests.append(form)
        return state.responders.isEmpty ? nil : state.responders.removeFirst()
      }
      return try responder?(form, self) ?? tokenResponse(for: form)
    case "devicecode":
      return .json(
        #"{"device_code":"dc","user_code":"ABCD","verification_uri":"https://microsoft.com/devicelogin","expires_in":900,"interval":5,"message":"go"}"#
      )
    case "userinfo": return .json(#"{"sub":"subject-1","name":"Megan"}"#)
    default: return ResponseMessage(.notFound)
    }
  }

  private static func endpoint(ofPath path: String) -> String {
    if path.hasSuffix("/discovery/instance") { return "instance" }
    if path.hasSuffix("/openid-configuration") { return "metadata" }
    if path.hasSuffix("/keys") { return "keys" }
    if path.hasSuffix("/token") { return "token" }
    if path.hasSuffix("/devicecode") { return "devicecode" }
    if path.hasSuffix("/userinfo") { return "userinfo" }
    return path
  }

  /// Returns the number of requests to an endpoint.
  func count(_ endpoint: String) -> Int { state.withLock { $0.requestCounts[endpoint] ?? 0 } }

  /// The number of requests to all endpoints.
  var total: Int { state.withLock { $0.requests.count } }

  /// Returns the last request to an endpoint.
  func last(_ endpoint: String) -> RequestMessage? {
    state.withLock { $0.requests.last { Self.endpoint(ofPath: URLReference($0.url).path) == endpoint } }
  }

  private func metadata(_ url: URLReference) -> ResponseMessage {
    let tenant = url.segments.first ?? ""
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
      preconditionFailure("invalid test key: \(error)")
    }
  }

  /// Returns a successful response with numbered tokens.
  func tokenResponse(for form: Parameters, _ change: (inout JSON) -> Void = { _ in }) -> ResponseMessage {
    let (number, generation, changeClaims) = state.withLock { state in
      state.issued += 1
      return (state.issued, state.key, state.claims)
    }
    var claims = idTokenClaims(form)
    changeClaims(&claims)
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

  /// Returns a responder that returns an OAuth error.
  static func oauthError(
    _ error: String, suberror: String? = nil, status: HTTPResponse.Status = .badRequest, codes: [Int] = [],
    headers: HTTPFields = [:], claims: String? = nil
  ) -> Responder {
    { _, _ in
      .json(
        OAuthError(
          error, description: "AADSTS\(codes.first ?? 1): rejected", suberror: suberror, errorCodes: codes,
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

  // MARK: Browser

  func redirectURI(for registered: String) async -> String {
    state.withLock { state in
      state.port.map { registered.replacing("localhost", with: "localhost:\($0)") } ?? registered
    }
  }

  func visit(_ visit: BrowserVisit) async -> BrowserOutcome {
    let query = URLReference(visit.url).parameters
    let (result, changeRedirect) = state.withLock { state in
      state.visits.append(visit)
      if visit.purpose == .signIn { state.nonce = query["nonce"] }
      let queued = state.queuedBrowserResults.isEmpty ? nil : state.queuedBrowserResults.removeFirst()
      return (queued ?? state.browserResult, state.redirect)
    }
    if let result { return BrowserOutcome(result, screens: ["username"], pageError: nil) }
    guard visit.purpose == .signIn else {
      let state = query["state"] ?? ""
      return BrowserOutcome(
        visit.redirectURI.map { .redirected(url: "\($0)?state=\(state)") } ?? .finished, screens: ["signedOut"])
    }
    var parameters: Parameters = ["code": "code-1", "state": query["state"] ?? ""]
    changeRedirect(&parameters)
    let url = URLReference(visit.redirectURI ?? "").appending(parameters).text
    return BrowserOutcome(.redirected(url: url), screens: ["username", "password"])
  }
}
