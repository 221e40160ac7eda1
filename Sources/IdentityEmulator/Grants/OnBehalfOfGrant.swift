import Directory
import Documents
import Effects
import GraphEmulator
import OAuth

/// `jwt-bearer` with `requested_token_use=on_behalf_of`: exchanges the token that an API received from its caller for a
/// token for another API.
struct OnBehalfOfGrant: TokenGrant {
  static let names = ["urn:ietf:params:oauth:grant-type:jwt-bearer"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    guard request.credential != .none else { throw ErrorResponse(7000218) }
    let assertion = try request.required("assertion")
    guard try request.required("requested_token_use") == "on_behalf_of" else {
      throw ErrorResponse(70003, "The parameter 'requested_token_use' must be 'on_behalf_of'.")
    }
    guard
      case .success(let claims) = AccessTokenCheck(platform: request.platform, now: request.exchange.now).check(
        assertion),
      let accountID = claims["xms_home"]?.string, let tenantID = claims["tid"]?.string
    else { throw ErrorResponse(50013) }
    try checkTenant(tenantID, accountID: accountID)
    let audience = claims["aud"]?.string?.lowercased() ?? ""
    let audienceID = request.platform.withState { $0.resource(named: audience)?.appID.lowercased() } ?? audience
    guard audienceID == request.client.appId.lowercased() else {
      throw ErrorResponse(50013, "The audience of the assertion is not the client of this request.")
    }
    let scopeText = try request.requiredScope()
    var grant = request.platform.newGrant(
      for: accountID, client: request.client.appId, tenantID: tenantID, scope: scopeText, at: request.exchange.now,
      sessionID: claims["sid"]?.string)
    grant.redirectType = .web
    grant.factorAt = claims["xms_factor"]?.integer.map { Instant(secondsSince1970: $0) }
    grant.nativeFlow = "obo"
    let member = try request.member(of: grant)
    let scopes = try request.scopes(scopeText, tenantID: tenantID)
    let resource = try request.oneResource(of: scopes)
    // An API cannot show UI, so it returns the error to its caller.
    do {
      try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: false)
    } catch {
      throw error.forSilentRequest
    }
    try request.requireConsent(grant, scopes: scopes, resource: resource)
    return request.tokens(for: grant, member: member, scopes: scopes, resource: resource)
  }

  /// Checks that the assertion was issued in the tenant of this endpoint.
  private func checkTenant(_ issuedIn: String, accountID: String) throws(ErrorResponse) {
    guard let tenantID = request.realm.tenantID, tenantID.lowercased() != issuedIn.lowercased() else { return }
    guard request.platform.withState({ $0.graph.member(accountID.lowercased(), of: tenantID) }) != nil else {
      let account = request.platform.withState { $0.graph.account(accountID.lowercased()) }
      throw account.map { .accountNotInTenant($0, from: tenantID, client: request.client) } ?? ErrorResponse(50020)
    }
    throw ErrorResponse(50013, "The assertion was issued in a different tenant.")
  }
}
