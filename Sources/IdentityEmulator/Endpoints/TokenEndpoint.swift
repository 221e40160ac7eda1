import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// `/{tenant}/oauth2/v2.0/token` (RFC 6749 §3.2): validates token requests and calls the handler of the grant.
enum TokenEndpoint {
  /// The handlers of the supported grants.
  static let grants: [any (TokenGrant & SendableMetatype).Type] = [
    AuthorizationCodeGrant.self, RefreshTokenGrant.self, DeviceCodeGrant.self, PasswordGrant.self,
    ClientCredentialsGrant.self, OnBehalfOfGrant.self,
  ]

  static func response(
    to exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    if platform.withState({ $0.misbehaviors.contains(.redirectingTokenEndpoint) }) {
      var response = ResponseBuilder.redirect(to: "\(TokenMisbehavior.otherProvider)\(exchange.path)", from: exchange)
      response.head.status = .temporaryRedirect
      return response
    }
    var response: ResponseMessage
    do throws(ErrorResponse) {
      guard exchange.method == .post else { throw ErrorResponse(900561) }
      let request = try TokenRequest(exchange, platform, realm: realm, isVersion1: isVersion1)
      guard let grant = grants.first(where: { $0.names.contains(request.grantType) }) else {
        throw ErrorResponse(70003, "The grant type '\(request.grantType.prefix(100))' is not supported.")
      }
      response = ResponseBuilder.json(try grant.init(request: request).tokenResponse(), to: exchange)
    } catch {
      response = error.response(to: exchange)
    }
    // Pages from any origin can read errors, but only pages with the app's origin can read tokens.
    if let origin = exchange.origin, platform.isSinglePageOrigin(origin, of: exchange.form["client_id"]) {
      CrossOrigin.open(&response, methods: CrossOrigin.tokenMethods)
    }
    return response
  }
}

/// A handler for a `grant_type`.
protocol TokenGrant {
  /// The `grant_type` values of this grant.
  static var names: [String] { get }
  init(request: TokenRequest)
  /// Returns the members of the token response.
  func tokenResponse() throws(ErrorResponse) -> JSON
}

/// A token request that has passed the checks common to all grants.
struct TokenRequest: Sendable {
  /// The credential that the client presented.
  enum Credential: Hashable, Sendable {
    case none, secret, certificate

    /// The result of client authentication, as shown in the request log.
    fileprivate var description: String {
      switch self {
      case .none: "none, as a public client"
      case .secret: "client secret is valid"
      case .certificate: "client assertion is valid"
      }
    }

    /// The value of the `azpacr` and `appidacr` claims.
    var claim: String {
      switch self {
      case .none: "0"
      case .secret: "1"
      case .certificate: "2"
      }
    }
  }

  let exchange: EmulatorRequest
  let platform: Platform
  let realm: Realm
  let isVersion1: Bool
  let form: Parameters
  let grantType: String
  let client: RegisteredApp
  let credential: Credential
  let claims: RequestedClaims

  init(_ exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool) throws(ErrorResponse) {
    self.exchange = exchange
    self.platform = platform
    self.realm = realm
    self.isVersion1 = isVersion1
    form = exchange.form
    if let repeated = form.repeatedNames.first {
      throw ErrorResponse(90004, "The parameter '\(repeated)' is duplicated.")
    }
    guard let grantType = form["grant_type"], !grantType.isEmpty else { throw Self.missing("grant_type") }
    self.grantType = grantType
    if let type = form["token_type"], type.lowercased() != "bearer" {
      throw ErrorResponse(
        90010,
        "The emulator does not support the token type '\(type.prefix(40))'; it issues bearer tokens only.")
    }
    let basic = try Self.basicCredentials(exchange)
    if let basic { try Self.checkAlone(basic, form) }
    guard let clientID = form["client_id"] ?? basic?.id ?? Self.subject(ofAssertion: form["client_assertion"]) else {
      throw Self.missing("client_id")
    }
    client = try platform.client(clientID, in: realm, host: exchange.host)
    let log = exchange.decisionLog
    log.check("client", platform.description(of: client))
    credential = try ClientAuthentication(exchange: exchange, platform: platform, client: client)
      .credential(
        secret: form["client_secret"] ?? basic?.secret, assertion: form["client_assertion"],
        assertionType: form["client_assertion_type"])
    log.check("credential", credential.description)
    claims = try RequestedClaims(form["claims"])
  }

  /// Returns AADSTS900144: a required parameter is missing.
  static func missing(_ name: String) -> ErrorResponse {
    ErrorResponse(900144, "The request body must contain the following parameter: '\(name)'.")
  }

  func required(_ name: String) throws(ErrorResponse) -> String {
    guard let value = form[name], !value.isEmpty else { throw Self.missing(name) }
    return value
  }

  var includesClientInfo: Bool { form["client_info"] == "1" }
  var tokenIssuer: TokenIssuer { TokenIssuer(platform: platform, exchange: exchange) }

  /// The requested scope. Requests to the v1.0 endpoint specify `resource` instead.
  var scopeText: String? {
    isVersion1 ? form["resource"].map { Platform.scope(ofResource: $0) } ?? form["scope"] : form["scope"]
  }

  /// Returns the requested scope. Throws if `scope` is missing, or, at the v1.0 endpoint, if `resource` is missing.
  func requiredScope() throws(ErrorResponse) -> String {
    _ = try required(isVersion1 ? "resource" : "scope")
    return scopeText ?? ""
  }

  func scopes(_ text: String, tenantID: String?) throws(ErrorResponse) -> ScopeRequest {
    let scopes = try platform.scopesForTokens(text, client: client, tenantID: tenantID)
    if !isVersion1, text == form["scope"] ?? text {
      try platform.requireMatchingResource(of: form["resource"], with: scopes)
    }
    return scopes
  }

  /// Checks that a confidential client has presented a credential.
  func requireCredential() throws(ErrorResponse) {
    if !client.isPublic, credential == .none { throw ErrorResponse(7000218) }
  }

  /// Checks that the app allows public client flows, as grants without a redirect URI require. As in Microsoft Entra
  /// ID, `isFallbackPublicClient` must be true if the request contains no credential. Apps that are not in the
  /// directory always pass the check.
  func requirePublicClientFlow() throws(ErrorResponse) {
    try requireCredential()
    let isListed = platform.withState { $0.directoryApps[client.appId.lowercased()] != nil }
    if credential == .none, isListed, client.allowPublicClient != true { throw ErrorResponse(7000218) }
  }

  /// Returns the client ID from HTTP Basic credentials, or nil.
  static func basicClient(_ exchange: EmulatorRequest) -> String? {
    guard exchange.method == .post else { return nil }
    return (try? basicCredentials(exchange))?.id
  }

  private static func basicCredentials(_ exchange: EmulatorRequest) throws(ErrorResponse) -> (
    id: String, secret: String
  )? {
    guard let header = exchange.request.head.headerFields[.authorization], header.lowercased().hasPrefix("basic ")
    else {
      return nil
    }
    guard let bytes = try? Base64.decode(header.dropFirst(6).trimmingSpaces()) else { throw ErrorResponse(70002) }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let colon = text.firstIndex(of: ":") else { throw ErrorResponse(70002) }
    return (FormCoding.decode(text[..<colon]), FormCoding.decode(text[text.index(after: colon)...]))
  }

  /// Checks that the client uses only one authentication method (RFC 6749 §2.3).
  private static func checkAlone(_ basic: (id: String, secret: String), _ form: Parameters) throws(ErrorResponse) {
    if let id = form["client_id"], !id.isEmpty, id.lowercased() != basic.id.lowercased() {
      throw ErrorResponse(90004, "The client_id in the body and in the Authorization header differ.")
    }
    if let other = ["client_secret", "client_assertion"].first(where: { form[$0]?.isEmpty == false }) {
      throw ErrorResponse(
        90004, "The request contains both '\(other)' and an Authorization header; send only one credential.")
    }
  }

  private static func subject(ofAssertion text: String?) -> String? {
    text.flatMap { try? UnverifiedJWT(parsing: $0) }?.claims["sub"]?.string
  }
}
