import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `password`: issues tokens for a username and password that the app sends (RFC 6749 §4.3). Entra does not support
/// this grant for personal accounts, on the `common` and `consumers` endpoints, or if multifactor authentication is
/// required.
struct PasswordGrant: TokenGrant {
  static let names = ["password"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    try request.requirePublicClientFlow()
    switch request.realm.kind {
    case .common, .consumers: throw ErrorResponse(9001023)
    default: break
    }
    let username = try request.required("username")
    let password = try request.required("password")
    let scopeText = try request.requiredScope()
    guard let account = request.platform.withState({ $0.account(named: username) }),
      account.homeTenantID != Tenant.personalID
    else { throw unknown(username) }
    try request.checkLoop(account.user.id)
    let tenantID = request.realm.tenantID ?? account.homeTenantID
    let now = request.exchange.now
    if let errorResponse = request.platform.checkPassword(password, of: account, now: now) { throw errorResponse }
    if account.user.passwordExpired == true { throw ErrorResponse(50055) }
    var grant = request.platform.newGrant(
      for: account.user.id, client: request.client.appId, tenantID: tenantID, scope: scopeText, at: now)
    grant.policy = request.realm.policy
    grant.nativeFlow = "password"
    let member = try request.member(of: grant)
    // Only a guest's home tenant accepts the password.
    guard !member.isGuest else { throw missing(account.user.username) }
    let scopes = try request.scopes(scopeText, tenantID: tenantID)
    let resource = try request.oneResource(of: scopes)
    try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: true)
    try request.requireConsent(grant, scopes: scopes, resource: resource)
    return request.tokens(for: grant, member: member, scopes: scopes, resource: resource)
  }

  /// Returns the error for an unknown username. The `organizations` endpoint also checks that the domain of the
  /// username belongs to a tenant.
  private func unknown(_ username: String) -> ErrorResponse {
    guard request.realm.kind == .organizations else { return missing(username) }
    let domain = username.split(separator: "@").last.map(String.init) ?? ""
    if !username.contains("@") { return ErrorResponse(50059) }
    return request.platform.withState { $0.tenant(named: domain) } == nil ? ErrorResponse(50128) : missing(username)
  }

  private func missing(_ username: String) -> ErrorResponse {
    ErrorResponse(
      50034,
      "The user account '\(username.prefix(200))' does not exist in the directory '\(request.platform.displayedTenantID(request.realm.tenantID))'."
    )
  }
}
