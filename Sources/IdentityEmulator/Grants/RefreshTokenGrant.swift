import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `refresh_token`: redeems a refresh token (RFC 6749 §6). A refresh token is valid for all resources, and the client
/// can redeem it repeatedly.
struct RefreshTokenGrant: TokenGrant {
  static let names = ["refresh_token"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    do {
      return try redeem()
    } catch {
      throw request.realm.policy == nil ? error : error.forUserFlow
    }
  }

  private func redeem() throws(ErrorResponse) -> JSON {
    let text = try request.required("refresh_token")
    guard let grant = TokenIssuer.open(text, for: .refreshToken) else {
      throw ErrorResponse(9002313, "The refresh token is not valid.", context: .refreshToken)
    }
    try checkClient(grant)
    try request.requireCredential(of: grant)
    let member = try request.member(of: grant)
    try request.checkLoop(grant.accountID)
    try checkAge(grant, accountID: member.account.user.id)
    try checkOrigin(grant)
    request.exchange.decisionLog.check(
      "refresh token", "issued to this client at \(grant.issuedAt.rfc3339()), not expired, and not revoked")
    // An empty scope is treated as missing.
    let requested = request.scopeText.flatMap { $0.trimmingSpaces().isEmpty ? nil : $0 }
    guard let text = requested ?? (request.isVersion1 || request.realm.policy != nil ? grant.scope : nil) else {
      throw ErrorResponse(90009, "The request has no scope, so the application is requesting a token for itself.")
    }
    var next = grant
    // A family refresh token can belong to another app in the family. The new tokens are for the app that sent the
    // request.
    next.clientID = request.client.appId
    // A refresh token is valid in every tenant that the account belongs to.
    if let tenantID = request.realm.tenantID, tenantID != grant.tenantID, grant.policy == nil {
      guard request.platform.withState({ $0.graph.member(grant.accountID, of: tenantID) }) != nil else {
        throw .accountNotInTenant(member.account, from: tenantID, client: request.client)
      }
      next.tenantID = tenantID
    }
    if let policy = request.realm.policy { next.policy = policy }
    let scopes = try request.scopes(text, tenantID: next.tenantID)
    if request.isVersion1 { try request.platform.requireListedResources(scopes, client: request.client) }
    // If the scopes belong to several resources, the access token is for the first resource.
    let resource = scopes.resources.first ?? .graph()
    let limited = always(scopes.limited(to: resource))
    let home = try request.member(of: next)
    try request.satisfyPolicies(next, member: home, resources: [resource], isNewSignIn: false)
    try request.requireConsent(next, scopes: limited, resource: resource)
    next.claims = nil
    return request.tokens(for: next, member: home, scopes: limited, resource: resource)
  }

  /// Adds `offline_access` to the scopes, because the response always contains a new refresh token.
  private func always(_ scopes: ScopeRequest) -> ScopeRequest {
    var scopes = scopes
    scopes.openID.insert("offline_access")
    return scopes
  }

  private func checkClient(_ grant: SignInGrant) throws(ErrorResponse) {
    if grant.clientID.lowercased() == request.client.appId.lowercased() { return }
    guard grant.family, request.client.family == true else {
      throw ErrorResponse(500181, context: grant.family ? .family : .standard)
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
        "The refresh token exceeded its maximum lifetime of \(Self.span(maximum)) since the sign-in on \(grant.chainStartedAt.rfc3339())."
      )
    }
    let history = request.platform.withState { $0.history(of: accountID) }
    guard now - grant.issuedAt <= lifetimes.refreshToken, grant.generation >= history.refreshExpiredBelow else {
      throw ErrorResponse(
        700082,
        "The refresh token has expired due to inactivity; it was issued on \(grant.issuedAt.rfc3339()) and not used for \(Self.span(lifetimes.refreshToken))."
      )
    }
  }

  /// Formats a duration as Entra does, such as `90.00:00:00`.
  private static func span(_ length: Duration) -> String {
    func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
    let seconds = length.components.seconds
    return "\(seconds / 86_400).\(two(seconds / 3600 % 24)):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private func checkOrigin(_ grant: SignInGrant) throws(ErrorResponse) {
    if grant.redirectType == .spa, request.exchange.origin == nil { throw ErrorResponse(9002327) }
    if grant.redirectType != .spa, request.exchange.origin != nil { throw .crossOriginRedemption(request.exchange) }
  }
}
