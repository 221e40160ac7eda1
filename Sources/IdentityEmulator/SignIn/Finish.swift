import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

// Completes a sign-in: updates the browser's session and sends the response to the app or device.

extension SignIn {
  mutating func finish() -> ResponseMessage {
    guard let accountID = flow.accountID, let account = account(accountID),
      let member = platform.withState({ $0.graph.member(accountID, of: self.tenantID(for: account)) })
    else { return ErrorPage.response(for: ErrorResponse(50034), to: exchange) }
    stopWaiting()
    let tenantID = tenantID(for: account)
    let sessionID = flow.sessionID ?? platform.randomness.uuid()

    var grant = platform.newGrant(
      for: accountID, client: request.client.appId, tenantID: tenantID, scope: request.scopeText, at: exchange.now,
      sessionID: sessionID)
    grant.policy = request.realm.policy
    grant.authenticatedAt = flow.authenticatedAt ?? exchange.now
    grant.factorAt = flow.factorAt
    grant.redirectType = request.address.type
    grant.redirectURI = request.address.uri
    grant.challenge = request.challenge
    grant.challengeMethod = request.challengeMethod
    grant.nonce = request.nonce
    grant.claims = request.claims.json
    grant.contexts = request.claims.contexts
    grant.family = request.client.family ?? false
    grant.includesAuthTime = request.maxAge != nil

    let action: Decision.Action =
      if flow.userCode != nil {
        .approvedDevice
      } else if adminConsentVersion != nil {
        .recordedAdminConsent
      } else {
        .issuedResponse(types: request.responseTypes)
      }
    exchange.decisionLog.record(action)
    return
      if let userCode = flow.userCode
    {
      approveDevice(userCode, grant)
    } else if adminConsentVersion != nil {
      adminConsentResponse(tenantID: tenantID)
    } else {
      appResponse(grant, member: member)
    }
  }

  private func appResponse(_ grant: SignInGrant, member: GraphState.Member) -> ResponseMessage {
    let tokenIssuer = TokenIssuer(platform: platform, exchange: exchange)
    let recipient = TokenRecipient(grant: grant, member: member, client: request.client)
    var parameters = Parameters()
    var code: String?
    let misbehaviors = platform.withState { $0.misbehaviors }
    if request.responseTypes.contains("code") {
      let issued = changed(grant, misbehaviors)
      if misbehaviors.contains(.redeemedCode) { redeem(issued) }
      let text = tokenIssuer.code(for: issued)
      parameters.append("code", text)
      code = text
    }
    var accessToken: String?
    if request.responseTypes.contains("token") {
      let resource = request.scopes.resources.first ?? .graph()
      let granted = platform.withState {
        $0.consents.granted(to: grant.clientID, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
      }
      let token = tokenIssuer.accessToken(for: recipient, resource: resource, scopes: granted)
      parameters.append("access_token", token.text)
      parameters.append("token_type", "Bearer")
      parameters.append("expires_in", String(token.expiresIn))
      parameters.append("scope", granted.joined(separator: " "))
      accessToken = token.text
    }
    if request.responseTypes.contains("id_token") {
      parameters.append(
        "id_token",
        tokenIssuer.idToken(
          for: recipient, scopes: request.scopes, isVersion1: flow.isVersion1, accessToken: accessToken, code: code,
          isImplicit: true))
    }
    if request.includesClientInfo {
      parameters.append("client_info", tokenIssuer.clientInfo(for: recipient).encoded)
    }
    var address = request.address
    if misbehaviors.contains(.wrongState) { address.state = "another-state" }
    if misbehaviors.contains(.missingState) { address.state = nil }
    address.issuer?.tenantID = grant.tenantID
    var ordered = parameters
    if let state = address.state { ordered.append("state", state) }
    ordered.append("session_state", grant.sessionID)
    if flow.parameters["instance_aware"] == "true" {
      // The user's cloud can differ from the cloud of the sign-in page. The client then continues in the user's cloud.
      let home = platform.withState { $0.tenant(named: grant.tenantID)?.cloud }
      let cloud = home.flatMap { Cloud(named: $0) } ?? exchange.cloud
      ordered.append("cloud_instance_name", cloud.discoveryName)
      ordered.append("cloud_instance_host_name", cloud.preferredNetwork)
      ordered.append("cloud_graph_host_name", cloud.graphHost ?? "graph.microsoft.com")
    }
    address.state = nil
    return AuthorizeResponse.send(ordered, to: address, exchange: exchange)
  }

  /// Returns the grant for the issued code, with changes by active misbehaviors.
  private func changed(_ grant: SignInGrant, _ misbehaviors: OrderedSet<Misbehavior>) -> SignInGrant {
    var grant = grant
    if misbehaviors.contains(.otherRedirectCode) { grant.redirectURI = request.address.uri + "/other" }
    if misbehaviors.contains(.lostChallenge) { (grant.challenge, grant.challengeMethod) = (nil, nil) }
    guard misbehaviors.contains(.injectedCode) else { return grant }
    // This grant simulates a code that was stolen from another user's sign-in to the same app.
    let other = platform.withState { state in
      state.graph.accounts.values.first {
        $0.user.id.lowercased() != grant.accountID && $0.homeTenantID == grant.tenantID && !$0.user.isDisabled
      }
    }
    if let other { grant.accountID = other.user.id.lowercased() }
    grant.nonce = "another-nonce"
    grant.challenge = PKCE.challenge(for: "the-code-verifier-of-another-user-s-sign-in", method: .s256)
    grant.challengeMethod = PKCE.Method.s256.rawValue
    return grant
  }

  /// Marks a code as used, as if another request from the app had already redeemed it.
  private func redeem(_ grant: SignInGrant) {
    let (now, lifetime) = (exchange.now, platform.lifetimes.authorizationCode)
    _ = platform.withState { $0.usedCodes.use(grant.id, issuedAt: grant.issuedAt, now: now, lifetime: lifetime) }
  }

  /// Adds the account to the browser's session, and creates a session if there is none.
  /// - Returns: The cookie to set, or nil if no account is signed in.
  mutating func updateSession() -> String? {
    guard let accountID = flow.accountID, let authenticatedAt = flow.authenticatedAt else { return nil }
    let old = SessionCookies.sessionID(exchange, realm: request.realm)
    // A new sign-in gets a new session ID to prevent session fixation.
    let id = flow.isFresh ? platform.randomness.uuid() : old ?? platform.randomness.uuid()
    let sessionID = flow.sessionID ?? platform.randomness.uuid()
    flow.sessionID = sessionID
    let entry = BrowserSession.Entry(
      accountID: accountID.lowercased(), authenticatedAt: authenticatedAt, factorAt: flow.factorAt, sessionID: sessionID
    )
    let now = exchange.now
    let isPersistent = isPersistent
    let isFresh = flow.isFresh
    platform.withState { state in
      var session = old.flatMap { state.sessions[$0] } ?? BrowserSession(startedAt: now)
      if isFresh, let old { state.sessions[old] = nil }
      session.isPersistent = isPersistent
      // The account keeps its position, so that the order in the account picker is stable.
      if let index = session.entries.firstIndex(where: { $0.accountID == entry.accountID }) {
        session.entries[index] = entry
      } else {
        session.entries.append(entry)
      }
      state.sessions[id] = session
      state.removeOldSessions()
    }
    return SessionCookies.seal(id, randomness: platform.randomness)
  }
}
