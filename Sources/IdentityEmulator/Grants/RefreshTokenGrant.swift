import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `refresh_token`: not bound to a resource, good for many uses, until something revokes it.
struct RefreshTokenGrant: TokenGrant {
  static let names = ["refresh_token"]
  let request: TokenRequest

  func answer() throws(ErrorResponse) -> JSON {
    do {
      return try redeem()
    } catch {
      throw request.realm.policy == nil ? error : error.inUserFlow
    }
  }

  private func redeem() throws(ErrorResponse) -> JSON {
    let text = try request.required("refresh_token")
    guard let grant = TokenIssuer.open(text, for: .refreshToken) else {
      throw ErrorResponse(9002313, "The refresh token is malformed or not valid.", on: .refreshToken)
    }
    try checkClient(grant)
    try request.demandCredential(of: grant)
    let member = try request.member(of: grant)
    try request.refuseLoop(grant.accountID)
    try checkAge(grant, accountID: member.account.user.id)
    try checkOrigin(grant)
    // An empty scope says as much as none.
    let asked = request.scopeText.flatMap { $0.trimmingSpaces().isEmpty ? nil : $0 }
    guard let text = asked ?? (request.isVersion1 || request.realm.policy != nil ? grant.scope : nil) else {
      throw ErrorResponse(90009, "The request lacks a scope, so the app would ask for a token to itself.")
    }
    var next = grant
    // A family's token may be another app's; what comes of it is for who asks.
    next.clientID = request.client.appId
    // A refresh token serves every tenant that the account belongs to.
    if let tenantID = request.realm.tenantID, tenantID != grant.tenantID, grant.policy == nil {
      guard request.platform.withState({ $0.graph.member(grant.accountID, of: tenantID) }) != nil else {
        throw .absent(member.account, from: tenantID, client: request.client)
      }
      next.tenantID = tenantID
    }
    if let policy = request.realm.policy { next.policy = policy }
    let scopes = try request.scopes(text, tenantID: next.tenantID)
    if request.isVersion1 { try request.platform.demandListed(scopes, client: request.client) }
    // Of several resources the first gets its token.
    let resource = scopes.resources.first ?? .graph()
    let limited = always(scopes.limited(to: resource))
    let home = try request.member(of: next)
    try request.satisfyPolicies(next, member: home, resources: [resource], isNewSignIn: false)
    try request.demandConsent(next, scopes: limited, resource: resource)
    next.claims = nil
    return request.tokens(for: next, member: home, scopes: limited, resource: resource)
  }

  /// A new refresh token always comes along.
  private func always(_ scopes: ScopeRequest) -> ScopeRequest {
    var scopes = scopes
    scopes.openID.insert("offline_access")
    return scopes
  }

  private func checkClient(_ grant: SignInGrant) throws(ErrorResponse) {
    if grant.clientID.lowercased() == request.client.appId.lowercased() { return }
    guard grant.family, request.client.family == true else {
      throw ErrorResponse(500181, on: grant.family ? .family : .usual)
    }
  }

  private func checkAge(_ grant: SignInGrant, accountID: String) throws(ErrorResponse) {
    let lifetimes = request.platform.lifetimes
    let now = request.exchange.now
    if grant.redirectType == .spa, now - grant.chainStartedAt > lifetimes.singlePageRefreshToken {
      throw ErrorResponse(
        700084,
        "The refresh token was issued to a single-page app on \(grant.chainStartedAt.rfc3339()) and had a fixed lifetime of \(Self.span(lifetimes.singlePageRefreshToken))."
      )
    }
    if let maximum = lifetimes.refreshTokenMaximum, now - grant.chainStartedAt > maximum {
      throw ErrorResponse(
        700081,
        "The refresh token has reached its maximum lifetime of \(Self.span(maximum)): the sign-in was on \(grant.chainStartedAt.rfc3339())."
      )
    }
    let history = request.platform.withState { $0.history(of: accountID) }
    guard now - grant.issuedAt <= lifetimes.refreshToken, grant.generation >= history.refreshExpiredBelow else {
      throw ErrorResponse(
        700082,
        "The refresh token has expired due to inactivity. The token was issued on \(grant.issuedAt.rfc3339()) and was inactive for \(Self.span(lifetimes.refreshToken))."
      )
    }
  }

  /// A length of time as Entra writes it: `90.00:00:00`.
  private static func span(_ length: Duration) -> String {
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    let seconds = length.components.seconds
    return "\(seconds / 86_400).\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private func checkOrigin(_ grant: SignInGrant) throws(ErrorResponse) {
    if grant.redirectType == .spa, request.exchange.origin == nil { throw ErrorResponse(9002327) }
    if grant.redirectType != .spa, request.exchange.origin != nil { throw .foreignOrigin(request.exchange) }
  }
}
