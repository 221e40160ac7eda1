import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

// The end of a sign-in: the browser's session remembers it, and the app, or the waiting device, gets its answer.

extension SignIn {
  mutating func finish() -> ResponseMessage {
    guard let accountID = flow.accountID, let account = account(accountID),
      let member = platform.withState({ $0.graph.member(accountID, of: self.tenantID(for: account)) })
    else { return ErrorPage.answer(ErrorResponse(50034), to: exchange) }
    let authenticatedAt = flow.authenticatedAt ?? exchange.now
    let tenantID = tenantID(for: account)
    let sessionID = flow.sessionID ?? platform.randomness.uuid()

    var grant = SignInGrant(
      id: platform.randomness.uuid(), clientID: request.client.appId, accountID: accountID, tenantID: tenantID,
      policy: request.realm.policy, scope: request.scopeText, authenticatedAt: authenticatedAt, factorAt: flow.factorAt,
      sessionID: sessionID, generation: platform.withState { $0.history(of: accountID).generation },
      issuedAt: exchange.now, redirectType: request.redirectType)
    grant.redirectURI = request.address.uri
    grant.challenge = request.challenge
    grant.challengeMethod = request.challengeMethod
    grant.nonce = request.nonce
    grant.claims = request.claims.json
    grant.contexts = request.claims.contexts
    grant.family = request.client.family ?? false
    grant.tellsTime = request.maxAge != nil

    let end = flow.userCode != nil ? "approved the device" : adminConsentVersion != nil ? "noted admin consent" : nil
    exchange.audit.note(end ?? "issued \(request.responseTypes.sorted().joined(separator: " and "))")
    return
      if let userCode = flow.userCode
    {
      approveDevice(userCode, grant)
    } else if adminConsentVersion != nil {
      answerAdminConsent(tenantID: tenantID)
    } else {
      answerApp(grant, member: member)
    }
  }

  private func answerApp(_ grant: SignInGrant, member: GraphState.Member) -> ResponseMessage {
    let mint = TokenIssuer(platform: platform, exchange: exchange)
    var parameters = Parameters()
    var code: String?
    let ways = platform.withState { $0.misbehaviors }
    if request.responseTypes.contains("code") {
      let text = mint.code(for: changed(grant, ways))
      parameters.append("code", text)
      code = text
    }
    var accessToken: String?
    if request.responseTypes.contains("token") {
      let resource = request.scopes.resources.first ?? .graph()
      let granted = platform.withState {
        $0.consents.granted(to: grant.clientID, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
      }
      let token = mint.accessToken(
        for: grant, member: member, client: request.client, resource: resource, scopes: granted)
      parameters.append("access_token", token.text)
      parameters.append("token_type", "Bearer")
      parameters.append("expires_in", String(token.expiresIn))
      parameters.append("scope", granted.joined(separator: " "))
      accessToken = token.text
    }
    if request.responseTypes.contains("id_token") {
      parameters.append(
        "id_token",
        mint.idToken(
          for: grant, member: member, client: request.client, scopes: request.scopes, isVersion1: flow.isVersion1,
          accessToken: accessToken, code: code, isImplicit: true))
    }
    if request.wantsClientInfo { parameters.append("client_info", mint.clientInfo(for: grant, member: member).encoded) }
    var address = request.address
    if ways.contains(.wrongState) { address.state = "another-state" }
    if ways.contains(.missingState) { address.state = nil }
    address.sender?.tenantID = grant.tenantID
    var ordered = parameters
    if let state = address.state { ordered.append("state", state) }
    ordered.append("session_state", grant.sessionID)
    if flow.parameters["instance_aware"] == "true" {
      // The user may belong to another cloud than the one whose page it was: the client goes on there.
      let home = platform.withState { $0.tenant(named: grant.tenantID)?.cloud }
      let cloud = home.flatMap { Cloud(named: $0) } ?? exchange.cloud
      ordered.append("cloud_instance_name", cloud.discoveryName)
      ordered.append("cloud_instance_host_name", cloud.preferredNetwork)
      ordered.append("cloud_graph_host_name", cloud.graphHost ?? "graph.microsoft.com")
    }
    address.state = nil
    return AuthorizeResponse.answer(ordered, to: address, exchange: exchange)
  }

  /// The grant behind the code that a misbehaving platform, or an attacker before it, hands over.
  private func changed(_ grant: SignInGrant, _ ways: OrderedSet<Misbehavior>) -> SignInGrant {
    var grant = grant
    if ways.contains(.lostChallenge) { (grant.challenge, grant.challengeMethod) = (nil, nil) }
    guard ways.contains(.injectedCode) else { return grant }
    // As it was issued to somebody else's sign-in with the same app, and stolen there.
    let other = platform.withState { state in
      state.graph.accounts.values.first {
        $0.user.id.lowercased() != grant.accountID && $0.homeTenantID == grant.tenantID && !$0.user.isDisabled
      }
    }
    if let other { grant.accountID = other.user.id.lowercased() }
    grant.nonce = "another-nonce"
    grant.challenge = PKCE.challenge(for: "the-code-verifier-of-somebody-else-s-sign-in", method: .s256)
    grant.challengeMethod = PKCE.Method.s256.rawValue
    return grant
  }

  /// Notes the account in the browser's session, made when there is none.
  /// - Returns: the cookie to set; nil where nobody is signed in.
  mutating func remember() -> String? {
    guard let accountID = flow.accountID, let authenticatedAt = flow.authenticatedAt else { return nil }
    let old = SessionCookies.sessionID(exchange, realm: request.realm)
    // Whoever proves anew who they are gets a new session: one that somebody else planted in the browser before stays
    // empty.
    let id = flow.isFresh ? platform.randomness.uuid() : old ?? platform.randomness.uuid()
    let sessionID = flow.sessionID ?? platform.randomness.uuid()
    flow.sessionID = sessionID
    let entry = BrowserSession.Entry(
      accountID: accountID.lowercased(), authenticatedAt: authenticatedAt, factorAt: flow.factorAt, sessionID: sessionID
    )
    let now = exchange.now
    let isKept = isKept
    let isFresh = flow.isFresh
    platform.withState { state in
      var session = old.flatMap { state.sessions[$0] } ?? BrowserSession(startedAt: now)
      if isFresh, let old { state.sessions[old] = nil }
      session.isKept = isKept
      // The place in the order stays, so that the picker does not jump.
      if let index = session.entries.firstIndex(where: { $0.accountID == entry.accountID }) {
        session.entries[index] = entry
      } else {
        session.entries.append(entry)
      }
      state.sessions[id] = session
      state.forgetOldSessions()
    }
    return SessionCookies.seal(id, randomness: platform.randomness)
  }
}
