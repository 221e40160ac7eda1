import Directory
import Documents
import Effects
import GraphEmulator
import HTTPTypes
import OAuth
import OrderedCollections

extension ControlRequest {
  static let tokens = ControlRequest(
    method: .post, path: "tokens",
    words:
      "tokens without a sign-in, as the token endpoint answers: {user, client, scopes, tenant, mfa, change}; change makes them expired, foreign or forged",
    takesBody: true
  ) { call throws(ControlError) in
    let wish = try call.body()
    try call.members(["user", "client", "scopes", "tenant", "mfa", "change"], of: wish)
    let forge = try ForgedTokenBuilder(wish["change"], call)
    let account = try call.account(named: wish["user"]?.string)
    let registered = call.platform.withState { $0.defaultClient ?? $0.apps.keys.first }
    guard let clientID = wish["client"]?.string ?? registered else {
      throw ControlError("no app is registered yet; name its client id with client")
    }
    let tenantID = try wish["tenant"]?.string.map { name throws(ControlError) in try call.tenantID(named: name) }
    let answer: JSON
    do throws(ErrorResponse) {
      answer = try call.tokens(
        of: account, tenantID: tenantID ?? account.homeTenantID, client: clientID,
        scopes: wish["scopes"]?.array?.compactMap(\.string) ?? ["User.Read"], hasFactor: wish["mfa"]?.bool ?? false)
    } catch {
      throw ControlError("\(error.label): \(error.message)")
    }
    return try forge.change(answer)
  }
}

extension ControlCall {
  /// As if the user had signed in and consented just now.
  fileprivate func tokens(
    of account: GraphState.Account, tenantID: String, client clientID: String, scopes: [String], hasFactor: Bool
  ) throws(ErrorResponse) -> JSON {
    let text = (["openid", "profile", "offline_access"] + scopes).joined(separator: " ")
    // The tenant's own endpoint, which serves apps of one tenant as well.
    let isPersonal = tenantID == Tenant.personalID
    let realm = Realm(kind: isPersonal ? .consumers : .tenant(tenantID), segment: tenantID, prefix: "/\(tenantID)")
    let client = try platform.client(clientID, in: realm)
    let request = try platform.scopes(text, client: client, tenantID: nil)
    var grant = SignInGrant(
      id: platform.randomness.uuid(), clientID: client.appId, accountID: account.user.id.lowercased(),
      tenantID: tenantID, policy: nil, scope: text, authenticatedAt: exchange.now,
      factorAt: hasFactor ? exchange.now : nil, sessionID: platform.randomness.uuid(),
      generation: platform.withState { $0.history(of: account.user.id).generation }, issuedAt: exchange.now,
      redirectType: .publicClient)
    grant.nativeFlow = "forged"
    let found = platform.withState { $0.graph.member(grant.accountID, of: grant.tenantID) }
    guard let member = found else { throw ErrorResponse(50020) }
    platform.withState { $0.grant(["openid"] + scopes, to: client.appId, by: .user(account.user.id)) }
    let resource = request.resources.first ?? .graph()
    return TokenIssuer(platform: platform, exchange: exchange).answer(
      for: grant, member: member, client: client, request: request.limited(to: resource), resource: resource,
      wantsClientInfo: true)
  }
}
