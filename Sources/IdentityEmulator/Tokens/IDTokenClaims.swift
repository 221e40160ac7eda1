import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

extension TokenIssuer {
  /// An ID token for an app: what it says depends on the version of the endpoint, the scopes, and what the app's
  /// registration and the request's `claims` ask for.
  /// - Parameters:
  ///   - isVersion1: whether the older endpoint gives it, whose tokens have other names for the user and another issuer.
  ///   - accessToken: what comes with it from the authorize endpoint, for `at_hash`.
  ///   - code: likewise, for `c_hash`.
  ///   - isImplicit: whether it comes straight from the authorize endpoint.
  func idToken(
    for grant: SignInGrant, member: GraphState.Member, client: RegisteredApp, scopes: ScopeRequest,
    isVersion1: Bool = false, accessToken: String? = nil, code: String? = nil, isImplicit: Bool = false
  ) -> String {
    let user = member.account.user
    let times = lifetimes(platform.lifetimes.idToken)
    let isOlder = isVersion1 && grant.policy == nil
    var claims: OrderedDictionary<String, JSON> = [
      "aud": .string(grant.clientID),
      "iss": .string(
        isOlder
          ? Self.olderIssuer(tenantID: grant.tenantID) : issuer(tenantID: grant.tenantID, policy: grant.policy)),
      "iat": .integer(times.from), "nbf": .integer(times.from), "exp": .integer(times.until),
      "aio": .string(opaque("aio", grant.id)),
    ]
    if let idp = identityProvider(of: member, in: grant.tenantID) { claims["idp"] = .string(idp) }
    if grant.policy != nil {
      addCustomer(user, grant, objectID: member.objectID, to: &claims)
    } else if isOlder {
      addOlder(member, grant, to: &claims)
    } else {
      if scopes.wants("profile") {
        claims["name"] = .string(user.shownName)
        claims["oid"] = .string(member.objectID)
        claims["preferred_username"] = .string(user.username)
      }
      if scopes.wants("email") || member.isGuest, let mail = user.mail { claims["email"] = .string(mail) }
    }
    if let nonce = grant.nonce { claims["nonce"] = .string(nonce) }
    claims["rh"] = .string("0.\(grant.generation).")
    claims["sid"] = .string(grant.sessionID)
    claims["sub"] = .string(
      Self.subject(
        of: user, objectID: member.objectID, client: grant.clientID, tenantID: grant.tenantID, policy: grant.policy))
    claims["tid"] = .string(grant.tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = grant.policy == nil && !isOlder ? "2.0" : "1.0"
    if grant.policy == nil { addRegistered(member, grant, client, isImplicit: isImplicit, to: &claims) }
    if grant.tellsTime || grant.policy != nil {
      claims["auth_time"] = .integer(grant.authenticatedAt.secondsSince1970)
    }
    if let accessToken { claims["at_hash"] = .string(Self.half(accessToken)) }
    if let code { claims["c_hash"] = .string(Self.half(code)) }
    let misbehavior = TokenMisbehavior(platform: platform, ways: platform.withState { $0.misbehaviors })
    misbehavior.change(&claims)
    return misbehavior.sign(.object(claims), withThumbprint: isOlder)
  }

  static func olderIssuer(tenantID: String) -> String { "https://sts.windows.net/\(tenantID)/" }

  /// What the app's registration and the `claims` parameter ask for.
  private func addRegistered(
    _ member: GraphState.Member, _ grant: SignInGrant, _ client: RegisteredApp, isImplicit: Bool,
    to claims: inout OrderedDictionary<String, JSON>
  ) {
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

  private func addCustomer(
    _ user: User, _ grant: SignInGrant, objectID: String, to claims: inout OrderedDictionary<String, JSON>
  ) {
    claims["name"] = .string(user.shownName)
    claims["emails"] = [.string(user.mail ?? user.username)]
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    claims["tfp"] = .string(grant.policy ?? "")
    claims["oid"] = .string(objectID)
  }

  private func addOlder(
    _ member: GraphState.Member, _ grant: SignInGrant, to claims: inout OrderedDictionary<String, JSON>
  ) {
    let user = member.account.user
    claims["amr"] = methods(grant)
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    if member.isGuest, let mail = user.mail { claims["email"] = .string(mail) }
    claims["ipaddr"] = .string(Self.address)
    claims["name"] = .string(user.shownName)
    claims["oid"] = .string(member.objectID)
    claims["unique_name"] = .string(user.username)
    if !member.isGuest { claims["upn"] = .string(member.userPrincipalName) }
  }
}

extension RegisteredApp {
  /// The app roles that the user was assigned, as the claim `roles`; nil where there are none.
  func rolesOf(_ user: User) -> JSON? {
    let roles = userRoles.first { $0.key.lowercased() == user.username.lowercased() }?.value ?? []
    return roles.isEmpty ? nil : .array(roles.map { .string($0) })
  }
}
