import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension TokenIssuer {
  /// The whole answer of the token endpoint for a user's grant.
  /// - Parameters:
  ///   - request: the scopes that this token request names; openid and the like as they were granted at the sign-in.
  ///   - resource: the one resource that the access token is for.
  ///   - wantsClientInfo: whether the request said `client_info=1`.
  ///   - isVersion1: the older endpoint, which writes numbers as strings.
  func answer(
    for grant: SignInGrant, member: GraphState.Member, client: RegisteredApp, request: ScopeRequest,
    resource: Resource, wantsClientInfo: Bool, isVersion1: Bool = false,
    credential: TokenRequest.Credential = .none
  ) -> JSON {
    exchange.audit.note("issued tokens", client: client.appId, user: member.account.user.username)
    let misbehaviors = platform.withState { $0.misbehaviors }
    var granted = platform.withState {
      $0.consents.granted(to: grant.clientID, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
    }
    if misbehaviors.contains(.fewerScopes) { granted = fewer(granted, than: request, for: resource) }
    let token = accessToken(
      for: grant, member: member, client: client, resource: resource, scopes: granted, credential: credential)
    var members: OrderedDictionary<String, JSON> = [
      "token_type": misbehaviors.contains(.wrongTokenType) ? "pop" : "Bearer",
      "scope": .string(echo(request, resource: resource, granted: granted)),
    ]
    func number(_ name: String, _ value: Int64) {
      members[name] = isVersion1 ? .string(String(value)) : .integer(value)
    }
    number("expires_in", token.expiresIn)
    number("ext_expires_in", max(token.expiresIn, platform.lifetimes.extendedAccessToken?.components.seconds ?? 0))
    if isVersion1 {
      number("expires_on", exchange.now.secondsSince1970 + token.expiresIn)
      number("not_before", exchange.now.secondsSince1970 - 300)
      members["resource"] = .string(resource.uri)
    }
    if token.isContinuous { number("refresh_in", token.expiresIn / 2) }
    if !misbehaviors.contains(.missingAccessToken) { members["access_token"] = .string(token.text) }
    if request.wants("offline_access") {
      members["refresh_token"] = .string(refreshToken(for: grant))
      if grant.redirectType == .spa {
        let end = grant.chainStartedAt + platform.lifetimes.singlePageRefreshToken
        number("refresh_token_expires_in", max(0, (end - exchange.now).components.seconds))
      }
      if client.family == true { members["foci"] = "1" }
    }
    if request.wants("openid"), !misbehaviors.contains(.missingIdToken) {
      members["id_token"] = .string(
        idToken(for: grant, member: member, client: client, scopes: request, isVersion1: isVersion1))
    }
    if wantsClientInfo, !misbehaviors.contains(.missingClientInfo) {
      members["client_info"] = .string(clientInfo(for: grant, member: member).encoded)
    }
    return .object(members)
  }

  /// The account at home; a B2C account is named together with its user flow.
  func clientInfo(for grant: SignInGrant, member: GraphState.Member) -> ClientInfo {
    if let policy = grant.policy {
      return ClientInfo(uid: "\(member.objectID)-\(policy.lowercased())", utid: grant.tenantID)
    }
    return ClientInfo(uid: member.account.user.id, utid: member.account.homeTenantID)
  }

  /// The refresh token that carries the grant on.
  func refreshToken(for grant: SignInGrant) -> String {
    var next = grant
    next.id = platform.randomness.uuid()
    next.issuedAt = exchange.now
    // What belongs to the one sign-in stays behind.
    next.redirectURI = nil
    next.challenge = nil
    next.challengeMethod = nil
    next.nonce = nil
    next.claims = nil
    return "1." + OpaqueTokenCipher.seal(next.json, for: .refreshToken, randomness: platform.randomness)
  }

  func code(for grant: SignInGrant) -> String {
    "1." + OpaqueTokenCipher.seal(grant.json, for: .authorizationCode, randomness: platform.randomness)
  }

  static func open(_ text: String, for purpose: OpaqueTokenCipher.Purpose) -> SignInGrant? {
    text.hasPrefix("1.") ? SignInGrant(OpaqueTokenCipher.open(String(text.dropFirst(2)), for: purpose)) : nil
  }

  /// What is granted without one of those that were asked for by name.
  private func fewer(_ granted: [String], than request: ScopeRequest, for resource: Resource) -> [String] {
    let asked = Set(request.items.filter { $0.resource.appID == resource.appID }.map { $0.name.lowercased() })
    guard let last = granted.lastIndex(where: { asked.contains($0.lowercased()) }) ?? granted.indices.dropFirst().last
    else { return granted }
    var granted = granted
    granted.remove(at: last)
    return granted
  }

  /// What the answer's `scope` says: for Graph the OpenID names first, then what was asked for as it was typed, then
  /// everything else that is granted there, in the same form.
  private func echo(_ request: ScopeRequest, resource: Resource, granted: [String]) -> String {
    let own = request.items.filter { $0.resource.appID == resource.appID }
    let given = own.filter { item in
      item.isDefault || granted.contains { $0.lowercased() == item.name.lowercased() }
    }
    var words: [String] = []
    if resource.isGraph, !request.openID.isEmpty { words += ["email", "openid", "profile"] }
    if !resource.isGraph, !own.isEmpty, own.allSatisfy({ ScopeName($0.typed).resource == nil }) {
      // An app's token to itself: the id alone was asked for.
      words += given.map(\.typed)
      return (words + (request.openID.isEmpty ? [] : ["openid"])).joined(separator: " ")
    }
    // A long form repeats what stood before the last slash of the first long scope.
    let prefix = own.lazy.compactMap { ScopeName($0.typed).resource }.first ?? (resource.isGraph ? nil : resource.uri)
    let named = given.filter { !$0.isDefault }
    words += named.map(\.typed)
    let asked = Set(named.map { $0.name.lowercased() })
    words += granted.filter { !asked.contains($0.lowercased()) && !WellKnown.openIDScopes.contains($0) }
      .map { name in prefix.map { "\($0)/\(name)" } ?? name }
    words += given.filter(\.isDefault).map(\.typed)
    return words.joined(separator: " ")
  }
}
