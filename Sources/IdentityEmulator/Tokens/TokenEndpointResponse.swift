import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

extension TokenIssuer {
  /// Returns the token response for a user's grant (RFC 6749 §5.1).
  /// - Parameters:
  ///   - request: The scopes of this token request, with the OpenID Connect scopes of the sign-in.
  ///   - resource: The resource of the access token.
  ///   - includesClientInfo: Whether the request contains `client_info=1`.
  ///   - isVersion1: Whether the response is from the v1.0 endpoint, which encodes numbers as strings.
  func tokenResponse(
    for recipient: TokenRecipient, request: ScopeRequest, resource: Resource, includesClientInfo: Bool,
    isVersion1: Bool = false, credential: TokenRequest.Credential = .none
  ) -> JSON {
    let (grant, client) = (recipient.grant, recipient.client)
    exchange.decisionLog.record(.issuedTokens, client: client.appId, user: recipient.member.account.user.username)
    let misbehaviors = platform.withState { $0.misbehaviors }
    var granted = platform.withState {
      $0.consents.granted(to: grant.clientID, user: grant.accountID, tenant: grant.tenantID, resource: resource.appID)
    }
    if misbehaviors.contains(.fewerScopes) { granted = removingOne(from: granted, requestedIn: request, for: resource) }
    let token = accessToken(for: recipient, resource: resource, scopes: granted, credential: credential)
    var members: OrderedDictionary<String, JSON> = [
      "token_type": misbehaviors.contains(.wrongTokenType) ? "pop" : "Bearer",
      "scope": .string(scopeText(request, resource: resource, granted: granted)),
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
    if request.includes("offline_access") {
      members["refresh_token"] = .string(refreshToken(for: grant))
      if grant.redirectType == .spa {
        let end = grant.chainStartedAt + platform.lifetimes.singlePageRefreshToken
        number("refresh_token_expires_in", max(0, (end - exchange.now).components.seconds))
      }
      if client.family == true { members["foci"] = "1" }
    }
    if request.includes("openid"), !misbehaviors.contains(.missingIdToken) {
      members["id_token"] = .string(idToken(for: recipient, scopes: request, isVersion1: isVersion1))
    }
    if includesClientInfo, !misbehaviors.contains(.missingClientInfo) {
      members["client_info"] = .string(clientInfo(for: recipient).encoded)
    }
    return .object(members)
  }

  /// Returns the home IDs of the account. For B2C, the IDs include the user flow.
  func clientInfo(for recipient: TokenRecipient) -> ClientInfo {
    let (grant, member) = (recipient.grant, recipient.member)
    if let policy = grant.policy {
      return ClientInfo(uid: "\(member.objectID)-\(policy.lowercased())", utid: grant.tenantID)
    }
    return ClientInfo(uid: member.account.user.id, utid: member.account.homeTenantID)
  }

  /// Issues a refresh token for the grant.
  func refreshToken(for grant: SignInGrant) -> String {
    var next = grant
    next.id = platform.randomness.uuid()
    next.issuedAt = exchange.now
    // A refresh token does not contain the parameters of the authorization request.
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

  /// Returns the granted scopes without one of the requested scopes, for a misbehavior.
  private func removingOne(from granted: [String], requestedIn request: ScopeRequest, for resource: Resource)
    -> [String]
  {
    let requested = Set(request.items.filter { $0.resource.appID == resource.appID }.map { $0.name.lowercased() })
    guard
      let last = granted.lastIndex(where: { requested.contains($0.lowercased()) }) ?? granted.indices.dropFirst().last
    else { return granted }
    var granted = granted
    granted.remove(at: last)
    return granted
  }

  /// Returns the response's `scope` in the live service's format. OpenID Connect scopes are first for Graph. They are
  /// followed by the requested scopes, as spelled in the request, and by all other granted scopes in the same format.
  private func scopeText(_ request: ScopeRequest, resource: Resource, granted: [String]) -> String {
    let own = request.items.filter { $0.resource.appID == resource.appID }
    let confirmed = own.filter { item in
      item.isDefault || granted.contains { $0.lowercased() == item.name.lowercased() }
    }
    var scopes: [String] = []
    if resource.isGraph, !request.openID.isEmpty { scopes += ["email", "openid", "profile"] }
    if !resource.isGraph, !own.isEmpty, own.allSatisfy({ ScopeName($0.requestedName).resource == nil }) {
      // The app used its client ID as the scope to request a token for itself.
      scopes += confirmed.map(\.requestedName)
      return (scopes + (request.openID.isEmpty ? [] : ["openid"])).joined(separator: " ")
    }
    // Fully qualified scopes use the prefix of the first requested scope.
    let prefix =
      own.lazy.compactMap { ScopeName($0.requestedName).resource }.first ?? (resource.isGraph ? nil : resource.uri)
    let named = confirmed.filter { !$0.isDefault }
    scopes += named.map(\.requestedName)
    let requested = Set(named.map { $0.name.lowercased() })
    scopes += granted.filter { !requested.contains($0.lowercased()) && !WellKnown.openIDScopes.contains($0) }
      .map { name in prefix.map { "\($0)/\(name)" } ?? name }
    scopes += confirmed.filter(\.isDefault).map(\.requestedName)
    return scopes.joined(separator: " ")
  }
}
