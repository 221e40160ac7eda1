import Directory
import Effects
import IdentityPlatform
import OAuth

/// A request to the authorize endpoint, checked as far as it can be before anybody signs in.
struct AuthorizeRequest: Sendable {
  enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
  }

  /// Where answers go, good or bad. A request that has one can be refused by redirect.
  struct ReturnAddress: Sendable {
    var uri: String
    var mode: ResponseMode
    var state: String?
    /// Who sends the answer, where the platform says so (RFC 9207).
    var sender: Sender?
    /// `1` or `2` where the admin consent endpoint of that version is told; its refusals have a form of their own.
    var adminConsent: String?
  }

  /// Whose issuer stands as `iss` in a redirect.
  struct Sender: Sendable {
    /// Nil where the tenant is not known yet.
    var tenantID: String?
    var policy: String?
    /// Whether another provider is named.
    var isStranger: Bool
  }

  var realm: Realm
  var client: RegisteredApp
  var address: ReturnAddress
  var redirectType: RegisteredApp.RedirectType
  var responseTypes: Set<String>
  var scopes: ScopeRequest
  var scopeText: String
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  /// The `sid` of an ID token: which of the browser's sign-ins is meant.
  var sessionID: String?
  var domainHint: String?
  var challenge: String?
  var challengeMethod: String?
  var claims: RequestedClaims
  var maxAge: Duration?
  var wantsClientInfo: Bool

  static let prompts: Set<String> = [
    "login", "none", "select_account", "consent", "create", "admin_consent", "no_session", "refresh_session",
  ]
}

/// Why an authorize request does not go on.
enum AuthorizeFailure: Error, Sendable {
  /// Nobody can be told but the user.
  case page(ErrorResponse)
  case redirect(ErrorResponse, AuthorizeRequest.ReturnAddress)
}

extension Platform {
  /// Reads and checks a request. First whatever must hold before the redirect URI can be trusted; only then the rest.
  /// - Parameter isDevice: whether the sign-in ends on a device, so that there is no redirect URI to check.
  func authorizeRequest(
    _ parameters: Parameters, realm: Realm, host: String, isVersion1: Bool, isDevice: Bool = false
  ) throws(AuthorizeFailure) -> AuthorizeRequest {
    let client: RegisteredApp
    let redirect: (uri: String, type: RegisteredApp.RedirectType)
    let repeatedNames = parameters.repeatedNames
    do throws(ErrorResponse) {
      if let repeated = repeatedNames.first(where: { ["client_id", "redirect_uri", "state"].contains($0) }) {
        throw ErrorResponse(90004, "The parameter '\(repeated)' stands more than once.")
      }
      client = try self.client(parameters["client_id"], in: realm, host: host)
      let sku = parameters["x-client-SKU"]?.lowercased() ?? ""
      redirect =
        isDevice
        ? (SignIn.deviceRedirect, .publicClient)
        : try self.redirect(
          parameters["redirect_uri"], of: client, isBrowserScript: sku.hasPrefix("msal.js.browser"))
    } catch {
      throw .page(error)
    }
    let types = Set((parameters["response_type"] ?? "").split(separator: " ").map(String.init))
    let isPlainCode = types == ["code"]
    var address = AuthorizeRequest.ReturnAddress(
      uri: redirect.uri, mode: isPlainCode || types.isEmpty ? .query : .fragment, state: parameters["state"],
      sender: sender(in: realm),
      adminConsent: parameters["prompt"] == "admin_consent" ? parameters[SignIn.adminConsentMark] : nil)
    do throws(ErrorResponse) {
      if let word = parameters["response_mode"] {
        guard let mode = AuthorizeRequest.ResponseMode(rawValue: word) else {
          throw ErrorResponse(70007, "'\(word.prefix(40))' is not a supported value of 'response_mode'.")
        }
        if mode == .query, !isPlainCode, !types.isEmpty {
          throw ErrorResponse(70007, "'query' is not a supported value of 'response_mode' when a token is requested.")
        }
        address.mode = mode
      }
      if let repeated = repeatedNames.first {
        throw ErrorResponse(90004, "The parameter '\(repeated)' stands more than once.")
      }
      return try authorizeRequest(
        parameters, realm: realm, client: client, redirectType: redirect.type, address: address, types: types,
        isVersion1: isVersion1)
    } catch {
      throw error.staysOnPage ? .page(error) : .redirect(error, address)
    }
  }

  private func authorizeRequest(
    _ parameters: Parameters, realm: Realm, client: RegisteredApp, redirectType: RegisteredApp.RedirectType,
    address: AuthorizeRequest.ReturnAddress, types: Set<String>, isVersion1: Bool
  ) throws(ErrorResponse) -> AuthorizeRequest {
    // A byte is three at most, so only a long request is written out to be measured.
    let least = parameters.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 1 }
    guard least * 3 <= 16_000 || FormCoding.serialize(parameters).utf8.count <= 16_000 else {
      throw ErrorResponse(90015)
    }
    guard !types.isEmpty else { throw missing("response_type") }
    guard [["code"], ["id_token"], ["token"], ["code", "id_token"], ["id_token", "token"]].contains(types) else {
      throw ErrorResponse(
        70005, "response_type '\(types.sorted().joined(separator: " ").prefix(60))' is not supported.")
    }
    let isOnTheFly = withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    if types.contains("id_token"), client.implicitIdTokens != true, !isOnTheFly { throw ErrorResponse(700054) }
    if types.contains("token"), client.implicitAccessTokens != true, !isOnTheFly { throw ErrorResponse(700054) }
    let scopeText = isVersion1 ? Self.scope(ofResource: parameters["resource"]) : parameters["scope"] ?? ""
    guard !scopeText.allSatisfy(\.isWhitespace) else { throw missing("scope") }
    let scopes = try scopes(scopeText, client: client, tenantID: realm.tenantID)
    if isVersion1 {
      try demandListed(scopes, client: client)
    } else {
      try demandAgreement(of: parameters["resource"], with: scopes)
    }
    if types.contains("id_token") {
      guard scopes.wants("openid") || isVersion1 else {
        throw ErrorResponse(70011, "'openid' has to be asked for to get an id_token.")
      }
      guard parameters["nonce"] != nil else { throw missing("nonce") }
    }
    if types.contains("token"), scopes.resources.count > 1 { throw ErrorResponse(700022) }
    if let prompt = parameters["prompt"], !AuthorizeRequest.prompts.contains(prompt) {
      throw ErrorResponse(90010, "'\(prompt.prefix(40))' is not a supported value of 'prompt'.")
    }
    if parameters["id_token_hint"] != nil, parameters["login_hint"] != nil { throw ErrorResponse(90005) }
    let method = parameters["code_challenge_method"]
    if let challenge = parameters["code_challenge"] {
      guard method == nil || method == "S256" || method == "plain" else {
        throw ErrorResponse(
          90010, "The code_challenge_method '\((method ?? "").prefix(20))' is not supported.")
      }
      guard PKCE.isVerifier(challenge) else { throw ErrorResponse(50147) }
    } else if redirectType == .spa, types.contains("code") {
      throw ErrorResponse(9002325)
    }
    return AuthorizeRequest(
      realm: realm, client: client, address: address, redirectType: redirectType, responseTypes: types, scopes: scopes,
      scopeText: scopeText, nonce: parameters["nonce"], prompt: parameters["prompt"],
      loginHint: parameters["login_hint"].map { TokenIssuer.username(fromHint: $0) }
        ?? parameters["id_token_hint"].flatMap { LogoutEndpoint.username(in: $0, self) },
      sessionID: parameters["sid"],
      domainHint: parameters["domain_hint"],
      challenge: parameters["code_challenge"],
      challengeMethod: parameters["code_challenge"] == nil ? nil : method ?? "plain",
      claims: try RequestedClaims(parameters["claims"]),
      maxAge: parameters["max_age"].flatMap { Int64($0) }.map { .seconds(min(max($0, 0), 1_000_000_000)) },
      wantsClientInfo: parameters["client_info"] == "1")
  }

  /// Who a redirect says it comes from; usually it does not say.
  private func sender(in realm: Realm) -> AuthorizeRequest.Sender? {
    let ways = withState { $0.misbehaviors }
    let isStranger = ways.contains(.wrongResponseIssuer)
    guard isStranger || ways.contains(.announcedIssuer), !ways.contains(.missingResponseIssuer) else { return nil }
    return AuthorizeRequest.Sender(tenantID: realm.tenantID, policy: realm.policy, isStranger: isStranger)
  }

  private func missing(_ name: String) -> ErrorResponse {
    ErrorResponse(900144, "The request body must contain the following parameter: '\(name)'.")
  }

  /// What the older endpoint's `resource` means in scopes.
  static func scope(ofResource resource: String?) -> String {
    "openid profile offline_access" + (resource.map { " \($0)/.default" } ?? "")
  }
}
