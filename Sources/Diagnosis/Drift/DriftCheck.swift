import Diagnostics
import Effects
import IdentityPlatform

/// The values that a project declares for sign-in, with their locations.
package struct DeclaredRegistration: Sendable {
  package var clientIDs: [(value: String, place: FileSpan)] = []
  package var redirectURIs: [(value: String, place: FileSpan)] = []
  package var scopes: [(value: String, place: FileSpan)] = []
  /// The hosts and tenants of the authorities, such as `login.microsoftonline.com/common`.
  package var authorities: [(value: String, place: FileSpan)] = []
  /// The scopes that workflow steps request.
  package var workflowScopes: [(value: String, place: FileSpan)] = []
  /// The `prompt` values that interactive workflow steps send, such as `login` or `select_account`.
  package var workflowPrompts: [(value: String, place: FileSpan)] = []
  /// The workflow steps that open a sign-in page.
  package var workflowSignIns: [FileSpan] = []

  package init() {}
}

/// A comparison of an app's requests with its registration and settings, and with the protocol rules.
package struct DriftCheck {
  let requests: [TrafficRequest]
  let declared: DeclaredRegistration
  private var findings: [Diagnostic] = []
  /// The rule and message of each reported finding, to avoid duplicates when an app repeats a request.
  private var reported: Set<String> = []

  /// Returns the differences in request order. Ignores values that the project does not declare.
  package static func findings(_ requests: [TrafficRequest], declared: DeclaredRegistration) -> [Diagnostic] {
    var check = DriftCheck(requests: requests, declared: declared)
    for request in requests {
      if request.isAuthorize { check.checkAuthorize(request) }
      if request.isToken { check.checkToken(request) }
      if request.isAuthorize || request.isToken { check.compare(request) }
      check.checkTokenPlaces(request)
      check.checkRetired(request)
    }
    check.checkUnusedScopes()
    check.compareWorkflows()
    return check.findings
  }

  private init(requests: [TrafficRequest], declared: DeclaredRegistration) {
    self.requests = requests
    self.declared = declared
  }

  mutating func report(
    _ severity: Diagnostic.Severity, _ rule: String, _ message: String, help: String, at place: FileSpan,
    related: [Diagnostic.Related] = []
  ) {
    guard reported.insert("\(rule) \(message)").inserted else { return }
    findings.append(
      Diagnostic(severity, rule: rule, message, help: help, at: place, related: related))
  }

  // MARK: Protocol

  private mutating func checkAuthorize(_ request: TrafficRequest) {
    let types = Set((request.parameters["response_type"] ?? "").split(separator: " ").map(String.init))
    if types.contains("code"), request.parameters["code_challenge"] == nil {
      report(
        .error, "traffic-pkce-missing", "authorization request without `code_challenge`",
        help: "send a PKCE challenge (RFC 7636); MSAL does this by default", at: request.place)
    }
    if request.parameters["code_challenge_method"]?.lowercased() == "plain" {
      report(
        .warning, "traffic-pkce-plain", "PKCE with the `plain` method", help: "use `S256`", at: request.place)
    }
    if request.parameters["state"] == nil {
      report(
        .warning, "traffic-state-missing", "authorization request without `state`",
        help: "send a random value and check that the response returns it", at: request.place)
    }
    if types.contains("id_token"), request.parameters["nonce"] == nil {
      report(
        .error, "traffic-nonce-missing", "request for an ID token without `nonce`",
        help: "send a random value and check that the ID token contains it", at: request.place)
    }
    if types.contains("token") {
      report(
        .warning, "traffic-implicit-flow", "access token requested with the implicit flow",
        help: "use the authorization code flow with PKCE", at: request.place)
    }
    if request.parameters["response_mode"] == "query", !types.isDisjoint(with: ["token", "id_token"]) {
      report(
        .error, "traffic-response-mode", "tokens requested with `response_mode=query`",
        help: "use `fragment` or `form_post`, because servers log query strings", at: request.place)
    }
    if requests.count(where: { $0.isAuthorize && $0.parameters["prompt"] == "login" }) > 1 {
      report(
        .note, "traffic-prompt", "every sign-in sends `prompt=login`",
        help: "omit `prompt` so that users can reuse their session", at: request.place)
    }
  }

  private mutating func checkToken(_ request: TrafficRequest) {
    let grant = request.parameters["grant_type"] ?? ""
    let isBrowser = request.headers["origin"] != nil
    if request.parameters["client_secret"] != nil, isBrowser || grant.hasSuffix("device_code") {
      report(
        .error, "traffic-public-client-secret", "client secret sent by a public client",
        help: "remove the secret from the app, and delete it in the app registration", at: request.place)
    }
    if grant == "password" {
      report(
        .warning, "traffic-password-grant", "user password sent with the password grant",
        help: "use an interactive flow", at: request.place)
    }
    if grant == "client_credentials", isBrowser {
      report(
        .error, "traffic-client-credentials", "client credentials sent from a browser",
        help: "call the API from a server, or sign the user in", at: request.place)
    }
    if grant == "authorization_code", request.parameters["code_verifier"] == nil {
      report(
        .error, "traffic-pkce-missing", "code redeemed without `code_verifier`",
        help: "send the PKCE verifier (RFC 7636); MSAL does this by default", at: request.place)
    }
  }

  private static let secrets = ["refresh_token", "access_token", "client_secret", "client_assertion", "password"]

  /// Reports tokens in URLs, and tokens sent to hosts that do not need them.
  private mutating func checkTokenPlaces(_ request: TrafficRequest) {
    for name in Self.secrets where request.exposedParameters.contains(name) {
      report(
        .error, "traffic-secret-in-url", "`\(name)` in the URL of a request to \(request.host)",
        help: "send it in the body or the `Authorization` header, because servers and browsers store URLs",
        at: request.place)
    }
    if request.parameters["refresh_token"] != nil, !request.isSignIn {
      report(
        .error, "traffic-refresh-token-host", "refresh token sent to \(request.host)",
        help: "send refresh tokens only to the token endpoint of the authority", at: request.place)
    }
    guard let header = request.headers["authorization"], header.lowercased().hasPrefix("bearer "),
      let audience = BearerAudience.audience(of: header)
    else { return }
    if audience.isGraph, !Self.isGraph(request.host) {
      report(
        .error, "traffic-token-host", "token for Microsoft Graph sent to \(request.host)",
        help: "request a token with a scope of this API", at: request.place)
    }
    if !audience.isGraph, Self.isGraph(request.host) {
      report(
        .error, "traffic-token-host", "token for `\(audience.name)` sent to Microsoft Graph",
        help: "request a token with a scope of Microsoft Graph", at: request.place)
    }
  }

  private static func isGraph(_ host: String) -> Bool {
    host.hasPrefix("graph.microsoft.") || host.hasSuffix("microsoftgraph.chinacloudapi.cn")
  }

  private mutating func checkRetired(_ request: TrafficRequest) {
    if request.host == "graph.windows.net" {
      report(
        .error, "traffic-retired-endpoint", "request to Azure AD Graph, which is retired",
        help: "use Microsoft Graph (`https://graph.microsoft.com/v1.0`)", at: request.place)
    }
    if request.host == "login.windows.net" || request.host == "login.microsoft.com" {
      report(
        .warning, "traffic-retired-endpoint", "request to the old host `\(request.host)`",
        help: "use `login.microsoftonline.com`", at: request.place)
    }
    if request.isAuthorize || request.isToken, !request.url.path.contains("/v2.0/"),
      request.url.path.contains("/oauth2/"),
      !request.host.hasSuffix(".b2clogin.com")
    {
      report(
        .warning, "traffic-retired-endpoint", "request to a version 1.0 endpoint",
        help: "use `/oauth2/v2.0/` with MSAL", at: request.place)
    }
  }

  // MARK: Project

  private mutating func compare(_ request: TrafficRequest) {
    if let id = request.parameters["client_id"] {
      compare(id, with: declared.clientIDs, "traffic-client-id", "client ID", at: request.place) {
        $0.lowercased() == $1.lowercased()
      }
    }
    if let uri = request.parameters["redirect_uri"] {
      compare(uri, with: declared.redirectURIs, "traffic-redirect-uri", "redirect URI", at: request.place, by: ==)
    }
    if let tenant = request.url.segments.first {
      compare(
        "\(request.host)/\(tenant)", with: declared.authorities, "traffic-authority", "authority", at: request.place
      ) { $0.lowercased() == $1.lowercased() }
    }
    for scope in request.scopes where !scope.hasSuffix("/.default") {
      // A scope that a workflow requests counts as declared.
      if declared.workflowScopes.contains(where: { Self.scopeName($0.value) == Self.scopeName(scope) }) { continue }
      compare(scope, with: declared.scopes, "traffic-scope-undeclared", "scope", at: request.place) {
        Self.scopeName($0) == Self.scopeName($1)
      }
    }
  }

  private mutating func compare(
    _ value: String, with declared: [(value: String, place: FileSpan)], _ rule: String, _ noun: String,
    at place: FileSpan, by isSame: (String, String) -> Bool
  ) {
    guard let first = declared.first, !declared.contains(where: { isSame($0.value, value) }) else { return }
    report(
      .warning, rule, "the app sent the \(noun) `\(value)`, which the project does not declare",
      help: "declare it, or use the declared \(noun) `\(first.value)`", at: place,
      related: [Diagnostic.Related("the project declares this \(noun)", at: first.place)])
  }

  /// Returns the lowercase short name of a scope, for comparisons.
  static func scopeName(_ scope: String) -> String { ScopeRules.shortName(of: scope).lowercased() }

  private mutating func checkUnusedScopes() {
    let sent = Set(requests.filter { $0.isAuthorize || $0.isToken }.flatMap(\.scopes).map(Self.scopeName))
    guard !sent.isEmpty, !sent.contains(where: { $0.hasSuffix(".default") }) else { return }
    for scope in declared.scopes where !sent.contains(Self.scopeName(scope.value)) {
      report(
        .note, "traffic-scope-unused", "the app never requested the declared scope `\(scope.value)`",
        help: "remove the scope if the app does not need it", at: scope.place)
    }
  }
}
