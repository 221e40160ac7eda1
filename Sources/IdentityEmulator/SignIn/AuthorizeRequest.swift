import Directory
import Effects
import IdentityPlatform
import OAuth

/// A validated authorization request (RFC 6749 §4.1.1).
struct AuthorizeRequest: Sendable {
  enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
  }

  /// The target of the authorization response. If the target is known, the emulator redirects errors to the app.
  struct ReturnAddress: Sendable {
    var uri: String
    var type: RegisteredApp.RedirectType
    var mode: ResponseMode
    var state: String?
    /// The issuer for the `iss` parameter (RFC 9207), if the platform sends it.
    var issuer: Issuer?
    /// The version of the admin consent endpoint, `1` or `2`, which returns errors in a different format. Nil for other
    /// requests.
    var adminConsent: String?
  }

  /// The issuer in the `iss` parameter of an authorization response (RFC 9207).
  struct Issuer: Sendable {
    /// The tenant ID, or nil if the tenant is not known yet.
    var tenantID: String?
    var policy: String?
    /// Whether a misbehavior replaces the issuer with another provider's issuer.
    var isOtherProvider: Bool
  }

  var realm: Realm
  var client: RegisteredApp
  var address: ReturnAddress
  var responseTypes: Set<String>
  var scopes: ScopeRequest
  var scopeText: String
  var nonce: String?
  var prompt: String?
  var loginHint: String?
  /// The `sid` of an ID token, which selects one of the browser's sessions.
  var sessionID: String?
  var domainHint: String?
  var challenge: String?
  var challengeMethod: String?
  var claims: RequestedClaims
  var maxAge: Duration?
  var includesClientInfo: Bool

  static let prompts: Set<String> = [
    "login", "none", "select_account", "consent", "create", "admin_consent", "no_session", "refresh_session",
  ]
}

/// An error in an authorization request and how to return it.
enum AuthorizeFailure: Error, Sendable {
  /// An error page, because there is no valid redirect URI.
  case page(ErrorResponse)
  /// A redirect to the app.
  case redirect(ErrorResponse, AuthorizeRequest.ReturnAddress)
}

extension Platform {
  /// Validates an authorization request. Validates the client and redirect URI first, because the emulator must not
  /// redirect errors to an unverified URI (RFC 6749 §4.1.2.1).
  /// - Parameter isDevice: Whether the request is a device sign-in, which has no redirect URI.
  func authorizeRequest(
    _ parameters: Parameters, realm: Realm, host: String, isVersion1: Bool, isDevice: Bool = false
  ) throws(AuthorizeFailure) -> AuthorizeRequest {
    let client: RegisteredApp
    let redirect: (uri: String, type: RegisteredApp.RedirectType)
    let repeatedNames = parameters.repeatedNames
    do throws(ErrorResponse) {
      if let repeated = repeatedNames.first(where: { ["client_id", "redirect_uri", "state"].contains($0) }) {
        throw ErrorResponse(90004, "The parameter '\(repeated)' is duplicated.")
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
      uri: redirect.uri, type: redirect.type, mode: isPlainCode || types.isEmpty ? .query : .fragment,
      state: parameters["state"],
      issuer: issuer(in: realm),
      adminConsent: parameters["prompt"] == "admin_consent" ? parameters[SignIn.adminConsentMark] : nil)
    do throws(ErrorResponse) {
      if let text = parameters["response_mode"] {
        guard let mode = AuthorizeRequest.ResponseMode(rawValue: text) else {
          throw ErrorResponse(70007, "'\(text.prefix(40))' is not a supported value of 'response_mode'.")
        }
        if mode == .query, !isPlainCode, !types.isEmpty {
          throw ErrorResponse(70007, "'query' is not a supported value of 'response_mode' when a token is requested.")
        }
        address.mode = mode
      }
      if let repeated = repeatedNames.first {
        throw ErrorResponse(90004, "The parameter '\(repeated)' is duplicated.")
      }
      return try authorizeRequest(
        parameters, realm: realm, client: client, address: address, types: types,
        isVersion1: isVersion1)
    } catch {
      throw error.staysOnPage ? .page(error) : .redirect(error, address)
    }
  }

  private func authorizeRequest(
    _ parameters: Parameters, realm: Realm, client: RegisteredApp,
    address: AuthorizeRequest.ReturnAddress, types: Set<String>, isVersion1: Bool
  ) throws(ErrorResponse) -> AuthorizeRequest {
    // Percent-encoding at most triples the length, so the length of short requests can be checked without serializing
    // them.
    let minimumLength = parameters.entries.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 1 }
    guard minimumLength * 3 <= 16_000 || FormCoding.serialize(parameters).utf8.count <= 16_000 else {
      throw ErrorResponse(90015)
    }
    guard !types.isEmpty else { throw missing("response_type") }
    guard [["code"], ["id_token"], ["token"], ["code", "id_token"], ["id_token", "token"]].contains(types) else {
      throw ErrorResponse(
        70005, "The response_type '\(types.sorted().joined(separator: " ").prefix(60))' is not supported.")
    }
    let isOnTheFly = withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
    if types.contains("id_token"), client.implicitIdTokens != true, !isOnTheFly { throw ErrorResponse(700054) }
    if types.contains("token"), client.implicitAccessTokens != true, !isOnTheFly { throw ErrorResponse(700054) }
    let scopeText = isVersion1 ? Self.scope(ofResource: parameters["resource"]) : parameters["scope"] ?? ""
    guard !scopeText.allSatisfy(\.isWhitespace) else { throw missing("scope") }
    let scopes = try scopes(scopeText, client: client, realm: realm)
    if isVersion1 {
      try requireListedResources(scopes, client: client)
    } else {
      try requireMatchingResource(of: parameters["resource"], with: scopes)
    }
    if types.contains("id_token") {
      guard scopes.includes("openid") || isVersion1 else {
        throw ErrorResponse(70011, "The scope 'openid' is required for the response type 'id_token'.")
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
    } else if address.type == .spa, types.contains("code") {
      throw ErrorResponse(9002325)
    }
    return AuthorizeRequest(
      realm: realm, client: client, address: address, responseTypes: types, scopes: scopes,
      scopeText: scopeText, nonce: parameters["nonce"], prompt: parameters["prompt"],
      loginHint: parameters["login_hint"].map { TokenIssuer.username(fromHint: $0) }
        ?? parameters["id_token_hint"].flatMap { LogoutEndpoint.username(in: $0, self) },
      sessionID: parameters["sid"],
      domainHint: parameters["domain_hint"],
      challenge: parameters["code_challenge"],
      challengeMethod: parameters["code_challenge"] == nil ? nil : method ?? "plain",
      claims: try RequestedClaims(parameters["claims"]),
      maxAge: parameters["max_age"].flatMap { Int64($0) }.map { .seconds(min(max($0, 0), 1_000_000_000)) },
      includesClientInfo: parameters["client_info"] == "1")
  }

  /// Resolves the scopes of the request. User flows reject unknown scopes with a B2C error.
  private func scopes(_ text: String, client: RegisteredApp, realm: Realm) throws(ErrorResponse) -> ScopeRequest {
    do {
      return try scopes(text, client: client, tenantID: realm.tenantID)
    } catch {
      guard realm.policy != nil, [650_053, 500_011].contains(error.code) else { throw error }
      throw .b2c(90117, "The scope '\(text.prefix(300))' in the request is not supported.", error: "invalid_request")
    }
  }

  /// Returns the issuer for the `iss` parameter, or nil unless a misbehavior adds this parameter.
  private func issuer(in realm: Realm) -> AuthorizeRequest.Issuer? {
    let misbehaviors = withState { $0.misbehaviors }
    let isOtherProvider = misbehaviors.contains(.wrongResponseIssuer)
    guard isOtherProvider || misbehaviors.contains(.announcedIssuer), !misbehaviors.contains(.missingResponseIssuer)
    else { return nil }
    return AuthorizeRequest.Issuer(tenantID: realm.tenantID, policy: realm.policy, isOtherProvider: isOtherProvider)
  }

  private func missing(_ name: String) -> ErrorResponse {
    ErrorResponse(900144, "The request body must contain the following parameter: '\(name)'.")
  }

  /// Returns the scopes that correspond to the `resource` parameter of the v1.0 endpoint.
  static func scope(ofResource resource: String?) -> String {
    "openid profile offline_access" + (resource.map { " \($0)/.default" } ?? "")
  }
}
