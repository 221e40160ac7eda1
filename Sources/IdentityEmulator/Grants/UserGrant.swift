import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth

extension TokenRequest {
  /// Returns the account of a grant and its membership in the tenant. Throws if the grant is no longer valid.
  func member(of grant: SignInGrant) throws(ErrorResponse) -> GraphState.Member {
    let (account, member, history) = platform.withState { state in
      (
        state.graph.account(grant.accountID), state.graph.member(grant.accountID, of: grant.tenantID),
        state.history(of: grant.accountID)
      )
    }
    guard let account else {
      throw ErrorResponse(
        50034, "The user account no longer exists in the directory.", context: .deletedAccount)
    }
    if account.user.isDisabled {
      throw ErrorResponse(50057, "The user account '\(account.user.username)' is disabled.")
    }
    guard let member else { throw .accountNotInTenant(account, from: grant.tenantID, client: client) }
    guard platform.isAssigned(account.user, to: client) else { throw .userNotAssigned(account.user, to: client) }
    if grant.generation < history.revokedBelow {
      let since = history.validFrom?.rfc3339() ?? ""
      throw ErrorResponse(
        50173,
        "The grant was revoked, so a new sign-in is required. The grant was issued on '\(grant.issuedAt.rfc3339())' and this user's tokens are valid from '\(since)'."
      )
    }
    exchange.decisionLog.check("account", "\(account.user.username) is active, and the grant is not revoked")
    return member
  }

  /// Throws if the grant does not satisfy the Conditional Access policies.
  func satisfyPolicies(_ grant: SignInGrant, member: GraphState.Member, resources: [Resource], isNewSignIn: Bool)
    throws(ErrorResponse)
  {
    // If the sign-in satisfies the policies of a requested authentication context, the token contains that context.
    let unmet = platform.unmetRequirement(
      AuthenticationEvidence(authenticatedAt: grant.authenticatedAt, factorAt: grant.factorAt),
      for: AccessAttempt(
        user: member.account.user, clientID: client.appId, resources: resources, tenantID: grant.tenantID,
        contexts: claims.contexts + grant.contexts, isNewSignIn: isNewSignIn))
    guard let unmet else { return exchange.decisionLog.check("policies", "met") }
    exchange.decisionLog.recordPolicy(of: unmet)
    exchange.decisionLog.record(user: member.account.user.username)
    throw unmet.errorResponse(for: member.account.user, resources: resources)
  }

  /// Throws AADSTS50196 if the same user and app repeat a request too often, provided the directory enables the check.
  func checkLoop(_ accountID: String) throws(ErrorResponse) {
    guard platform.directory.loopGuard else { return }
    let request = [grantType, scopeText ?? "", form["claims"] ?? ""].joined(separator: "\u{1F}")
    if platform.isLooping(request, by: accountID + client.appId, at: exchange.now) { throw ErrorResponse(50196) }
  }

  /// Returns the resource of the request, or throws if there are several. If all scopes are OpenID Connect scopes, the
  /// resource is Microsoft Graph.
  func oneResource(of scopes: ScopeRequest) throws(ErrorResponse) -> Resource {
    let resources = scopes.resources
    if resources.count > 1 {
      throw ErrorResponse(
        28000,
        "The scope '\(scopes.items.map(\.requestedName).joined(separator: " ").prefix(500))' contains more than one resource, but an access token is for a single resource."
      )
    }
    return resources.first ?? .graph()
  }

  /// Throws AADSTS65001 if consent to a scope is missing.
  func requireConsent(_ grant: SignInGrant, scopes: ScopeRequest, resource: Resource) throws(ErrorResponse) {
    if resource.appID == client.appId || grant.policy != nil { return }
    let granted = platform.withState {
      $0.consents.granted(to: client.appId, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
    }
    let hasConsented = platform.withState {
      $0.consents.knows(client.appId, user: grant.accountID, tenant: grant.tenantID)
    }
    let missing = scopes.items.filter { item in
      item.isDefault ? granted.isEmpty : !granted.contains { $0.lowercased() == item.name.lowercased() }
    }
    guard missing.isEmpty, hasConsented else {
      exchange.decisionLog.check(
        "consent", "missing for \(missing.map(\.requestedName).joined(separator: " "))", isPassed: false)
      throw ErrorResponse(
        65001,
        "Neither the user nor an administrator has consented to the application with ID '\(client.appId)' named '\(client.displayName)'. Send an interactive authorization request."
      )
    }
  }

  /// Returns the token response and adds the claims of this request to the grant. In B2C, all scopes are treated as
  /// granted.
  func tokens(for grant: SignInGrant, member: GraphState.Member, scopes: ScopeRequest, resource: Resource) -> JSON {
    var grant = grant
    if let json = claims.json { grant.claims = json }
    for context in claims.contexts where !grant.contexts.contains(context) { grant.contexts.append(context) }
    if grant.policy != nil {
      platform.withState { state in
        state.consents.add(scopes.items.map(\.name), of: resource.appID, to: client.appId, by: .user(grant.accountID))
      }
    }
    exchange.decisionLog.check("scopes", "\(resource.name): \(scopes.items.map(\.name).joined(separator: " "))")
    return tokenIssuer.tokenResponse(
      for: TokenRecipient(grant: grant, member: member, client: client), request: scopes, resource: resource,
      includesClientInfo: includesClientInfo, isVersion1: isVersion1, credential: credential)
  }
}
