import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `password`: the app types the password for the user. No second factor, no personal account, no shared endpoint.
struct PasswordGrant: TokenGrant {
  static let names = ["password"]
  let request: TokenRequest

  func answer() throws(ErrorResponse) -> JSON {
    try request.demandPublicFlow()
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
    try request.refuseLoop(account.user.id)
    let tenantID = request.realm.tenantID ?? account.homeTenantID
    let now = request.exchange.now
    if let refusal = request.platform.checkPassword(password, of: account, now: now) { throw refusal }
    if account.user.passwordExpired == true { throw ErrorResponse(50055) }
    var grant = SignInGrant(
      id: request.platform.randomness.uuid(), clientID: request.client.appId, accountID: account.user.id.lowercased(),
      tenantID: tenantID, policy: request.realm.policy, scope: scopeText, authenticatedAt: now, factorAt: nil,
      sessionID: request.platform.randomness.uuid(),
      generation: request.platform.withState { $0.history(of: account.user.id).generation }, issuedAt: now,
      redirectType: .publicClient)
    grant.nativeFlow = "password"
    let member = try request.member(of: grant)
    // A guest's home has the password, and the resource tenant takes no password for it.
    guard !member.isGuest else { throw missing(account.user.username) }
    let scopes = try request.scopes(scopeText, tenantID: tenantID)
    let resource = try request.oneResource(of: scopes)
    try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: true)
    try request.demandConsent(grant, scopes: scopes, resource: resource)
    return request.tokens(for: grant, member: member, scopes: scopes, resource: resource)
  }

  /// Where the path names no tenant, the username's domain has to.
  private func unknown(_ username: String) -> ErrorResponse {
    guard request.realm.kind == .organizations else { return missing(username) }
    let domain = username.split(separator: "@").last.map(String.init) ?? ""
    if !username.contains("@") { return ErrorResponse(50059) }
    return request.platform.withState { $0.tenant(named: domain) } == nil ? ErrorResponse(50128) : missing(username)
  }

  private func missing(_ username: String) -> ErrorResponse {
    ErrorResponse(
      50034,
      "The user account '\(username.prefix(200))' does not exist in the directory '\(request.platform.shownTenant(request.realm.tenantID))'."
    )
  }
}
