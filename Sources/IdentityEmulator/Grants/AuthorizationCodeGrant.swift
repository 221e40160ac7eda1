import Directory
import Documents
import Effects
import GraphEmulator
import OAuth
import OrderedCollections

/// `authorization_code`: redeems an authorization code once (RFC 6749 §4.1.3) and verifies PKCE (RFC 7636 §4.6).
struct AuthorizationCodeGrant: TokenGrant {
  static let names = ["authorization_code"]
  let request: TokenRequest

  func tokenResponse() throws(ErrorResponse) -> JSON {
    let code = try request.required("code")
    let grant = try open(code)
    try request.requireCredential(of: grant)
    try checkPolicy(grant)
    let log = request.exchange.decisionLog
    log.check("authorization code", "issued to this client, and not expired")
    try checkRedirect(grant)
    log.check("redirect URI", "matches the authorization request")
    try checkProof(grant)
    log.check("PKCE", grant.challenge == nil ? "not used" : "code verifier matches the code challenge")
    try checkOrigin(grant)
    try useUp(grant)
    log.check("first use", "code was not redeemed before")
    if let tenantID = request.realm.tenantID, tenantID != grant.tenantID { throw ErrorResponse(700005) }
    let member = try request.member(of: grant)
    let (scopes, resource) = try scopes(grant)
    try request.satisfyPolicies(grant, member: member, resources: [resource], isNewSignIn: false)
    return request.tokens(for: grant, member: member, scopes: scopes, resource: resource)
  }

  private func open(_ code: String) throws(ErrorResponse) -> SignInGrant {
    guard let grant = TokenIssuer.open(code, for: .authorizationCode) else {
      throw ErrorResponse(9002313, "The authorization code is not valid.")
    }
    guard grant.clientID.lowercased() == request.client.appId.lowercased() else {
      throw ErrorResponse(70000, "The authorization code was issued to another client.")
    }
    guard request.exchange.now - grant.issuedAt <= request.platform.lifetimes.authorizationCode else {
      throw ErrorResponse(70008)
    }
    return grant
  }

  /// Checks that the code was issued by the user flow in the request.
  private func checkPolicy(_ grant: SignInGrant) throws(ErrorResponse) {
    guard grant.policy?.lowercased() != request.realm.policy?.lowercased() else { return }
    throw ErrorResponse.b2c(
      90088,
      "The grant was not issued for this endpoint. Actual value: \(request.realm.policy ?? "none"); expected value: \(grant.policy ?? "none").",
      error: "invalid_grant")
  }

  private func checkRedirect(_ grant: SignInGrant) throws(ErrorResponse) {
    let uri = try request.required("redirect_uri")
    guard uri == grant.redirectURI || uri == grant.redirectURI.map({ $0 + "/" }) || uri + "/" == grant.redirectURI
    else {
      throw ErrorResponse(
        500112,
        "The reply address '\(uri.prefix(300))' does not match the reply address '\(grant.redirectURI ?? "")' in the authorization request."
      )
    }
  }

  private func checkProof(_ grant: SignInGrant) throws(ErrorResponse) {
    if request.platform.withState({ $0.misbehaviors.contains(.uncheckedChallenge) }) { return }
    guard let challenge = grant.challenge else {
      // A code verifier without a code challenge indicates a PKCE downgrade attack (RFC 9700 §2.1.1).
      guard request.form["code_verifier"]?.isEmpty ?? true else { throw ErrorResponse(501481) }
      return
    }
    guard let verifier = request.form["code_verifier"], !verifier.isEmpty else {
      throw TokenRequest.missing("code_verifier")
    }
    let method = grant.challengeMethod.flatMap(PKCE.Method.init(rawValue:)) ?? .plain
    guard PKCE.verify(verifier, against: challenge, method: method) else { throw ErrorResponse(501481) }
  }

  private func checkOrigin(_ grant: SignInGrant) throws(ErrorResponse) {
    let isCrossOrigin = request.exchange.origin != nil
    if grant.redirectType == .spa, !isCrossOrigin { throw ErrorResponse(9002327) }
    if grant.redirectType != .spa, isCrossOrigin { throw .crossOriginRedemption(request.exchange) }
  }

  /// Marks the code as used. If several requests redeem the code concurrently, only one succeeds (RFC 6749 §4.1.2).
  private func useUp(_ grant: SignInGrant) throws(ErrorResponse) {
    let now = request.exchange.now
    let lifetime = request.platform.lifetimes.authorizationCode
    let isFirst = request.platform.withState {
      $0.usedCodes.use(grant.id, issuedAt: grant.issuedAt, now: now, lifetime: lifetime)
    }
    guard isFirst else { throw ErrorResponse(54005) }
  }

  /// Returns the requested scopes, or the sign-in's scopes if the request does not specify a scope. The OpenID Connect
  /// scopes always come from the sign-in.
  private func scopes(_ grant: SignInGrant) throws(ErrorResponse) -> (ScopeRequest, Resource) {
    let requested = request.scopeText
    if let requested, requested.trimmingSpaces().isEmpty { throw ErrorResponse(28003) }
    let signedIn = try request.scopes(grant.scope, tenantID: grant.tenantID)
    var scopes = signedIn
    if let requested { scopes = try request.scopes(requested, tenantID: grant.tenantID) }
    scopes.openID = signedIn.openID
    let resource: Resource
    if requested == nil {
      // If `scope` is missing, the access token is for the first resource of the sign-in.
      resource = scopes.resources.first ?? .graph()
    } else {
      resource = try request.oneResource(of: scopes)
    }
    return (scopes.limited(to: resource), resource)
  }
}

extension TokenRequest {
  /// Checks that the client sent a credential if the code was issued to a web redirect URI, and that a public client
  /// did not send a credential.
  func requireCredential(of grant: SignInGrant) throws(ErrorResponse) {
    if grant.redirectType == .web { return try requireCredential() }
    if grant.redirectType == .spa { return }
    if credential != .none, client.secrets.isEmpty, client.certificates.isEmpty, !isOnTheFly {
      throw ErrorResponse(700025)
    }
  }

  private var isOnTheFly: Bool {
    platform.withState { $0.appsOnTheFly.contains(client.appId.lowercased()) }
  }
}
