import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth

extension TokenRequest {
  /// The account of a grant as its tenant sees it today, if the grant still counts.
  func member(of grant: SignInGrant) throws(ErrorResponse) -> GraphState.Member {
    let (account, member, history) = platform.withState { state in
      (
        state.graph.account(grant.accountID), state.graph.member(grant.accountID, of: grant.tenantID),
        state.history(of: grant.accountID)
      )
    }
    guard let account else {
      throw ErrorResponse(
        50034, "The user account does not exist in the directory any more.", on: .deletedAccount)
    }
    if account.user.isDisabled {
      throw ErrorResponse(50057, "The user account '\(account.user.username)' is disabled.")
    }
    guard let member else { throw .absent(account, from: grant.tenantID, client: client) }
    guard platform.isAssigned(account.user, to: client) else { throw .unassigned(account.user, to: client) }
    if grant.generation < history.revokedBelow {
      let since = history.validFrom?.rfc3339() ?? ""
      throw ErrorResponse(
        50173,
        "The provided grant has expired due to it being revoked, a fresh token is needed. The grant was issued on '\(grant.issuedAt.rfc3339())' and the TokensValidFrom date for this user is '\(since)'."
      )
    }
    return member
  }

  /// What conditional access asks for before a token is handed out.
  func satisfyPolicies(_ grant: SignInGrant, member: GraphState.Member, resources: [Resource], isNewSignIn: Bool)
    throws(ErrorResponse)
  {
    let unmet = platform.unmetCondition(
      AuthenticationEvidence(authenticatedAt: grant.authenticatedAt, factorAt: grant.factorAt),
      user: member.account.user,
      clientID: client.appId, resources: resources, tenantID: grant.tenantID,
      contexts: claims.contexts + grant.contexts, isNewSignIn: isNewSignIn)
    if let unmet {
      exchange.audit.apply(unmet)
      exchange.audit.note(user: member.account.user.username)
    }
    if let unmet { throw unmet.refusal(for: member.account.user, resources: resources) }
    // A context that was not there at the sign-in is reached by being fit for its policies now.
  }

  /// Refuses what the same user and app have asked too often, where the directory wants that looked at.
  func refuseLoop(_ accountID: String) throws(ErrorResponse) {
    guard platform.directory.loopGuard else { return }
    let request = [grantType, scopeText ?? "", form["claims"] ?? ""].joined(separator: "\u{1F}")
    if platform.isLooping(request, by: accountID + client.appId, at: exchange.now) { throw ErrorResponse(50196) }
  }

  /// The one resource of the request; Graph where only OpenID scopes were asked for.
  func oneResource(of scopes: ScopeRequest) throws(ErrorResponse) -> Resource {
    let resources = scopes.resources
    if resources.count > 1 {
      throw ErrorResponse(
        28000,
        "The scope '\(scopes.items.map(\.typed).joined(separator: " ").prefix(500))' names more than one resource, but a token is for one."
      )
    }
    return resources.first ?? .graph()
  }

  /// Refuses scopes that nobody has consented to.
  func demandConsent(_ grant: SignInGrant, scopes: ScopeRequest, resource: Resource) throws(ErrorResponse) {
    if resource.appID == client.appId || grant.policy != nil { return }
    let granted = platform.withState {
      $0.consents.granted(to: client.appId, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
    }
    let knows = platform.withState { $0.consents.knows(client.appId, user: grant.accountID, tenant: grant.tenantID) }
    let missing = scopes.items.filter { item in
      item.isDefault ? granted.isEmpty : !granted.contains { $0.lowercased() == item.name.lowercased() }
    }
    guard missing.isEmpty, knows else {
      throw ErrorResponse(
        65001,
        "The user or administrator has not consented to use the application with ID '\(client.appId)' named '\(client.shownName)'. Send an interactive authorization request for this user and resource."
      )
    }
  }

  /// The answer with tokens, the grant brought up to this moment. In B2C every scope of the app is consented beforehand.
  func tokens(for grant: SignInGrant, member: GraphState.Member, scopes: ScopeRequest, resource: Resource) -> JSON {
    var grant = grant
    if let json = claims.json { grant.claims = json }
    for context in claims.contexts where !grant.contexts.contains(context) { grant.contexts.append(context) }
    if grant.policy != nil {
      platform.withState { state in
        state.consents.add(scopes.items.map(\.name), of: resource.appID, to: client.appId, by: .user(grant.accountID))
      }
    }
    return mint.answer(
      for: grant, member: member, client: client, request: scopes, resource: resource, wantsClientInfo: wantsClientInfo,
      isVersion1: isVersion1, credential: credential)
  }
}
