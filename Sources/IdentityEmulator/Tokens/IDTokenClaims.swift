import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

extension TokenIssuer {
  /// Issues an ID token. The claims depend on the endpoint version, the scopes, the app registration, and the `claims`
  /// parameter.
  /// - Parameters:
  ///   - isVersion1: Whether the v1.0 endpoint issues the token, which then has a different issuer and different user
  ///     claims.
  ///   - accessToken: The access token in the same authorization response, from which `at_hash` is calculated.
  ///   - code: The code in the same authorization response, from which `c_hash` is calculated.
  ///   - isImplicit: Whether the authorize endpoint issues the token.
  func idToken(
    for recipient: TokenRecipient, scopes: ScopeRequest, isVersion1: Bool = false, accessToken: String? = nil,
    code: String? = nil, isImplicit: Bool = false
  ) -> String {
    let (grant, member) = (recipient.grant, recipient.member)
    let user = member.account.user
    let times = lifetimes(platform.lifetimes.idToken)
    let usesVersion1 = isVersion1 && grant.policy == nil
    var claims: OrderedDictionary<String, JSON> = [
      "aud": .string(grant.clientID),
      "iss": .string(
        usesVersion1
          ? Self.version1Issuer(tenantID: grant.tenantID) : issuer(tenantID: grant.tenantID, policy: grant.policy)),
      "iat": .integer(times.from), "nbf": .integer(times.from), "exp": .integer(times.until),
      "aio": .string(opaque("aio", grant.id)),
    ]
    if let idp = identityProvider(of: member, in: grant.tenantID) { claims["idp"] = .string(idp) }
    if grant.policy != nil {
      addUserFlowClaims(user, grant, objectID: member.objectID, to: &claims)
    } else if usesVersion1 {
      addVersion1Claims(member, grant, to: &claims)
    } else {
      if scopes.includes("profile") {
        claims["name"] = .string(user.shownName)
        claims["oid"] = .string(member.objectID)
        claims["preferred_username"] = .string(user.username)
      }
      if scopes.includes("email") || member.isGuest, let mail = user.mail { claims["email"] = .string(mail) }
    }
    if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
    claims["rh"] = .string("0.\(grant.generation).")
    claims["sid"] = .string(grant.sessionID)
    claims["sub"] = .string(
      Self.subject(
        of: user, objectID: member.objectID, client: grant.clientID, tenantID: grant.tenantID, policy: grant.policy))
    claims["tid"] = .string(grant.tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = grant.policy == nil && !usesVersion1 ? "2.0" : "1.0"
    if grant.policy == nil { addRegistered(recipient, isImplicit: isImplicit, to: &claims) }
    if grant.includesAuthTime || grant.policy != nil {
      claims["auth_time"] = .integer(grant.authenticatedAt.secondsSince1970)
    }
    if let accessToken { claims["at_hash"] = .string(Self.leftHalfOfHash(accessToken)) }
    if let code { claims["c_hash"] = .string(Self.leftHalfOfHash(code)) }
    let misbehavior = TokenMisbehavior(platform: platform, misbehaviors: platform.withState { $0.misbehaviors })
    misbehavior.change(&claims)
    return misbehavior.sign(.object(claims), withThumbprint: usesVersion1)
  }

  /// Returns the issuer of version 1 tokens.
  static func version1Issuer(tenantID: String) -> String { "https://sts.windows.net/\(tenantID)/" }

  /// Adds the claims that the app registration or the `claims` parameter requests.
  private func addRegistered(
    _ recipient: TokenRecipient, isImplicit: Bool, to claims: inout OrderedDictionary<String, JSON>
  ) {
    let (grant, member, client) = (recipient.grant, recipient.member, recipient.client)
    let requested = grant.claims?["id_token"]?.object.map { Array($0.keys) } ?? []
    OptionalClaims(member: member, authenticatedAt: grant.authenticatedAt, contexts: grant.contexts)
      .add(client.optionalClaims + requested, to: &claims)
    let kind = client.groupMembershipClaims ?? (client.optionalClaims.contains("groups") ? .securityGroup : .none)
    if kind != .none {
      MembershipClaims(
        kind: kind, user: member.account.user, objectID: member.objectID,
        tenant: platform.withState { $0.graph.tenants[grant.tenantID] }
      ).add(to: &claims, isImplicit: isImplicit)
    }
    if let roles = client.rolesOf(member.account.user) { claims["roles"] = roles }
  }

  private func addUserFlowClaims(
    _ user: User, _ grant: SignInGrant, objectID: String, to claims: inout OrderedDictionary<String, JSON>
  ) {
    claims["name"] = .string(user.shownName)
    claims["emails"] = [.string(user.mail ?? user.username)]
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    claims["tfp"] = .string(grant.policy ?? "")
    claims["oid"] = .string(objectID)
  }

  private func addVersion1Claims(
    _ member: GraphState.Member, _ grant: SignInGrant, to claims: inout OrderedDictionary<String, JSON>
  ) {
    let user = member.account.user
    claims["amr"] = methods(grant)
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    if member.isGuest, let mail = user.mail { claims["email"] = .string(mail) }
    claims["ipaddr"] = .string(Self.clientIPAddress)
    claims["name"] = .string(user.shownName)
    claims["oid"] = .string(member.objectID)
    claims["unique_name"] = .string(user.username)
    if !member.isGuest { claims["upn"] = .string(member.userPrincipalName) }
  }
}

extension RegisteredApp {
  /// Returns the user's app roles for the `roles` claim, or nil if there are none.
  func rolesOf(_ user: User) -> JSON? {
    let roles = userRoles.first { $0.key.lowercased() == user.username.lowercased() }?.value ?? []
    return roles.isEmpty ? nil : .array(roles.map { .string($0) })
  }
}
