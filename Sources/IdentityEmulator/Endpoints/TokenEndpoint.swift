import Directory
import Documents
import Effects
import HTTPTypes
import OAuth

/// `/{tenant}/oauth2/v2.0/token`: what every grant has in common; each grant fills in only what is its own.
enum TokenEndpoint {
  /// The grants, one line for each.
  static let grants: [any (TokenGrant & SendableMetatype).Type] = [
    AuthorizationCodeGrant.self, RefreshTokenGrant.self, DeviceCodeGrant.self, PasswordGrant.self,
    ClientCredentialsGrant.self, OnBehalfOfGrant.self,
  ]

  static func answer(
    _ exchange: EmulatorRequest, _ platform: Platform, realm: Realm, isVersion1: Bool
  ) -> ResponseMessage {
    if platform.withState({ $0.misbehaviors.contains(.redirectingTokenEndpoint) }) {
      var response = ResponseBuilder.redirect(to: "\(TokenMisbehavior.stranger)\(exchange.path)", from: exchange)
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
      response = ResponseBuilder.json(try grant.init(request: request).answer(), to: exchange)
    } catch {
      response = error.answer(to: exchange)
    }
    // Errors are open to every origin; tokens are open to the app's own pages only.
    if let origin = exchange.origin, platform.isSinglePageOrigin(origin, of: exchange.form["client_id"]) {
      CrossOrigin.open(&response, methods: CrossOrigin.tokenMethods)
    }
    return response
  }
}

/// One `grant_type`.
protocol TokenGrant {
  /// The values of `grant_type` that mean it.
  static var names: [String] { get }
  init(request: TokenRequest)
  /// The members of the answer.
  func answer() throws(ErrorResponse) -> JSON
}

/// A token request, checked as far as all grants share it.
struct TokenRequest: Sendable {
  enum Credential: Hashable, Sendable {
    case none, secret, certificate

    /// As `azpacr` and `appidacr` say it.
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
      throw ErrorResponse(90004, "The parameter '\(repeated)' stands more than once.")
    }
    guard let grantType = form["grant_type"], !grantType.isEmpty else { throw Self.missing("grant_type") }
    self.grantType = grantType
    if let type = form["token_type"], type.lowercased() != "bearer" {
      throw ErrorResponse(
        90010,
        "The emulator does not support the token type '\(type.prefix(40))': it issues bearer tokens only.")
    }
    let basic = try Self.basicCredentials(exchange)
    if let basic { try Self.checkAlone(basic, form) }
    guard let clientID = form["client_id"] ?? basic?.id ?? Self.subject(ofAssertion: form["client_assertion"]) else {
      throw Self.missing("client_id")
    }
    client = try platform.client(clientID, in: realm, host: exchange.host)
    credential = try ClientAuthentication(exchange: exchange, platform: platform, client: client)
      .credential(
        secret: form["client_secret"] ?? basic?.secret, assertion: form["client_assertion"],
        assertionType: form["client_assertion_type"])
    claims = try RequestedClaims(form["claims"])
  }

  static func missing(_ name: String) -> ErrorResponse {
    ErrorResponse(900144, "The request body must contain the following parameter: '\(name)'.")
  }

  func required(_ name: String) throws(ErrorResponse) -> String {
    guard let value = form[name], !value.isEmpty else { throw Self.missing(name) }
    return value
  }

  var wantsClientInfo: Bool { form["client_info"] == "1" }
  var mint: TokenIssuer { TokenIssuer(platform: platform, exchange: exchange) }

  /// The scope of the request; the older endpoint says `resource`.
  var scopeText: String? {
    isVersion1 ? form["resource"].map { Platform.scope(ofResource: $0) } ?? form["scope"] : form["scope"]
  }

  /// The scope where the request cannot do without; the older endpoint cannot do without `resource`.
  func requiredScope() throws(ErrorResponse) -> String {
    _ = try required(isVersion1 ? "resource" : "scope")
    return scopeText ?? ""
  }

  func scopes(_ text: String, tenantID: String?) throws(ErrorResponse) -> ScopeRequest {
    let scopes = try platform.scopesForTokens(text, client: client, tenantID: tenantID)
    if !isVersion1, text == form["scope"] ?? text { try platform.demandAgreement(of: form["resource"], with: scopes) }
    return scopes
  }

  /// A confidential app has to show who it is; a public one must not.
  func demandCredential() throws(ErrorResponse) {
    if !client.isPublic, credential == .none { throw ErrorResponse(7000218) }
  }

  /// Grants without a redirect URI do not show whether the client is public. Microsoft Entra ID then reads
  /// `isFallbackPublicClient` of the registration, and null means false. Only an app that the directory does not list has
  /// no such switch.
  func demandPublicFlow() throws(ErrorResponse) {
    try demandCredential()
    let isListed = platform.withState { $0.directoryApps[client.appId.lowercased()] != nil }
    if credential == .none, isListed, client.allowPublicClient != true { throw ErrorResponse(7000218) }
  }

  /// The client id of HTTP Basic, where one can be read.
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

  /// One client proves itself in one way (RFC 6749 §2.3).
  private static func checkAlone(_ basic: (id: String, secret: String), _ form: Parameters) throws(ErrorResponse) {
    if let id = form["client_id"], !id.isEmpty, id.lowercased() != basic.id.lowercased() {
      throw ErrorResponse(90004, "The client_id of the body is another than that of the Authorization header.")
    }
    if let other = ["client_secret", "client_assertion"].first(where: { form[$0]?.isEmpty == false }) {
      throw ErrorResponse(90004, "The request has both '\(other)' and an Authorization header; send one credential.")
    }
  }

  private static func subject(ofAssertion text: String?) -> String? {
    text.flatMap { try? UnverifiedJWT(parsing: $0) }?.claims["sub"]?.string
  }
}
