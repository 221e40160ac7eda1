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
    summary:
      "issue tokens without a sign-in; `{user, client, scopes, tenant, mfa, change}`, where `change` modifies the tokens",
    requiresBody: true
  ) { call throws(ControlError) in
    let body = try call.body()
    try call.members(["user", "client", "scopes", "tenant", "mfa", "change"], of: body)
    let builder = try ForgedTokenBuilder(body["change"], call)
    let account = try call.account(named: body["user"]?.string)
    let registered = call.platform.withState { $0.defaultClient ?? $0.apps.keys.first }
    guard let clientID = body["client"]?.string ?? registered else {
      throw ControlError("no app is registered; specify a client ID with `client`")
    }
    let tenantID = try body["tenant"]?.string.map { name throws(ControlError) in try call.tenantID(named: name) }
    let response: JSON
    do throws(ErrorResponse) {
      response = try call.tokens(
        of: account, tenantID: tenantID ?? account.homeTenantID, client: clientID,
        scopes: body["scopes"]?.array?.compactMap(\.string) ?? ["User.Read"], hasFactor: body["mfa"]?.bool ?? false)
    } catch {
      throw ControlError("\(error.label): \(error.message)")
    }
    return try builder.change(response)
  }
}

extension ControlCall {
  /// Issues tokens as if the user had just signed in and consented.
  fileprivate func tokens(
    of account: GraphState.Account, tenantID: String, client clientID: String, scopes: [String], hasFactor: Bool
  ) throws(ErrorResponse) -> JSON {
    let text = (["openid", "profile", "offline_access"] + scopes).joined(separator: " ")
    // The token issuer uses the tenant's endpoint, which also supports single-tenant apps.
    let isPersonal = tenantID == Tenant.personalID
    let realm = Realm(kind: isPersonal ? .consumers : .tenant(tenantID), segment: tenantID, prefix: "/\(tenantID)")
    let client = try platform.client(clientID, in: realm)
    let request = try platform.scopes(text, client: client, tenantID: nil)
    var grant = platform.newGrant(
      for: account.user.id, client: client.appId, tenantID: tenantID, scope: text, at: exchange.now)
    grant.factorAt = hasFactor ? exchange.now : nil
    grant.nativeFlow = "forged"
    // The simulated sign-in must use one of the client's redirect URIs.
    if !client.spaRedirectUris.isEmpty, client.publicRedirectUris.isEmpty, client.webRedirectUris.isEmpty {
      grant.redirectType = .spa
    }
    let member = platform.withState { $0.graph.member(grant.accountID, of: grant.tenantID) }
    guard let member else { throw ErrorResponse(50020) }
    platform.withState { $0.grant(["openid"] + scopes, to: client.appId, by: .user(account.user.id)) }
    let resource = request.resources.first ?? .graph()
    return TokenIssuer(platform: platform, exchange: exchange).tokenResponse(
      for: TokenRecipient(grant: grant, member: member, client: client), request: request.limited(to: resource),
      resource: resource, includesClientInfo: true)
  }
}
