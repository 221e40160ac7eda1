import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `jwt-bearer` with `requested_token_use=on_behalf_of`: an API exchanges the token it was called with for one of its own.
struct OnBehalfOfGrant: TokenGrant {
  static let names = ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
  let request: TokenRequest

  func answer() throws(ErrorResponse) -> JSON {
    guard request.credential != .none else { throw ErrorResponse(7000218) }
    let assertion = try request.required("assertion")
    guard try request.required("requested_token_use") == "on_behalf_of" else {
      throw ErrorResponse(70003, "requested_token_use must be on_behalf_of.")
    }
    guard
      case .success(let claims) = AccessTokenCheck(platform: request.platform, now: request.exchange.now).check(
        assertion),
      let accountID = claims["xms_home"]?.string, let tenantID = claims["tid"]?.string
    else { throw ErrorResponse(50013) }
    try checkTenant(tenantID, accountID: accountID)
    let audience = claims["aud"]?.string?.lowercased() ?? ""
    let own = request.platform.withState { $0.resource(named: audience)?.appID.lowercased() } ?? audience
    guard own == request.client.appId.lowercased() else {
      throw ErrorResponse(50013, "The assertion's audience is not the app that presents it.")
    }
    let scopeText = try request.requiredScope()
    var grant = SignInGrant(
      id: request.platform.randomness.uuid(), clientID: request.client.appId, accountID: accountID.lowercased(),
      tenantID: tenantID, policy: nil, scope: scopeText, authenticatedAt: request.exchange.now, factorAt: nil,
      sessionID: claims["sid"]?.string ?? request.platform.randomness.uuid(),
      generation: request.platform.withState { $0.history(of: accountID).generation }, issuedAt: request.exchange.now,
      redirectType: .web)
    grant.factorAt = claims["xms_factor"]?.integer.map { Instant(secondsSince1970: $0) }
    grant.nativeFlow = "obo"
    let member = try request.member(of: grant)
    let scopes = try request.scopes(scopeText, tenantID: tenantID)
    let resource = try request.oneResource(of: scopes)
    // The API passes it on to its caller: nobody is at hand who could be shown a page.
    do {
      try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: false)
    } catch {
      throw error.silently
    }
    try request.demandConsent(grant, scopes: scopes, resource: resource)
    return request.tokens(for: grant, member: member, scopes: scopes, resource: resource)
  }

  /// A tenant's endpoint takes only what was issued in that tenant, to its members and its guests alike.
  private func checkTenant(_ issuedIn: String, accountID: String) throws(ErrorResponse) {
    guard let tenantID = request.realm.tenantID, tenantID.lowercased() != issuedIn.lowercased() else { return }
    guard request.platform.withState({ $0.graph.member(accountID.lowercased(), of: tenantID) }) != nil else {
      let account = request.platform.withState { $0.graph.account(accountID.lowercased()) }
      throw account.map { .absent($0, from: tenantID, client: request.client) } ?? ErrorResponse(50020)
    }
    throw ErrorResponse(50013, "The assertion was issued in another tenant than this endpoint's.")
  }
}
