import Crypto
import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// The user and app that receive tokens, and the grant that authorizes the tokens.
struct TokenRecipient: Sendable {
  var grant: SignInGrant
  var member: GraphState.Member
  var client: RegisteredApp
}

/// An issuer of tokens with the same claims as in the live service for each type of account and resource.
struct TokenIssuer: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  /// Returns the issuer of version 2 tokens.
  func issuer(tenantID: String, policy: String?) -> String {
    Self.issuer(at: exchange, tenantID: tenantID, policy: policy)
  }

  static func issuer(at exchange: EmulatorRequest, tenantID: String, policy: String?) -> String {
    switch HostKind(exchange.host) {
    case .login(let cloud): "https://\(cloud.preferredNetwork)/\(tenantID)/v2.0"
    case .external: "https://\(tenantID).ciamlogin.com/\(tenantID)/v2.0"
    case .b2c: "https://\(exchange.host)/\(tenantID)/v2.0/"
    default: policy == nil ? "\(exchange.base)/\(tenantID)/v2.0" : "\(exchange.base)/\(tenantID)/v2.0/"
    }
  }

  /// Returns the claims as a signed JWT.
  private func sign(_ claims: JSON, withThumbprint: Bool) -> String {
    guard let key = platform.keys.current(after: platform.withState({ $0.rotations })) else { return "" }
    var header: OrderedDictionary<String, JSON> = [:]
    if withThumbprint, let keyID = key.publicKey.keyID { header["x5t"] = .string(keyID) }
    return (try? key.token(claims, header: .object(header))) ?? ""
  }

  // MARK: ID tokens

  /// Returns the pairwise subject of a user. The subject differs between apps, but is the same in ID tokens and
  /// userinfo responses.
  static func subject(
    of user: User, objectID: String, client: String, tenantID: String, policy: String?
  ) -> String {
    policy == nil ? OpaqueTokenCipher.pseudonym("sub", client, user.id, tenantID) : objectID
  }

  /// Returns the base64url-encoded left half of the hash for `at_hash` and `c_hash` (OpenID Connect Core §3.1.3.6).
  static func leftHalfOfHash(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))).prefix(16))
  }

  /// Returns the opaque `login_hint` claim, which the authorize endpoint accepts as a login hint.
  static func loginHint(_ user: User) -> String { "O." + Base64URL.encode(user.username.utf8) }

  /// Returns the username for a login hint, which can be a username or the value of a `login_hint` claim.
  static func username(fromHint hint: String) -> String {
    guard hint.hasPrefix("O."), let bytes = try? Base64URL.decode(hint.dropFirst(2)) else { return hint }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The IP address of all clients, from a range that is reserved for documentation (RFC 5737).
  static let clientIPAddress = "203.0.113.7"

  // MARK: Access tokens

  /// An issued access token.
  struct AccessToken: Sendable {
    var text: String
    /// The value of `expires_in` in seconds. As in the live service, the value is one second less than the lifetime.
    var expiresIn: Int64
    /// Whether the token is long-lived, because the client and the resource support continuous access evaluation.
    var isContinuous: Bool
  }

  /// Issues an access token for a user.
  /// - Parameter credential: The client's credential.
  func accessToken(
    for recipient: TokenRecipient, resource: Resource, scopes: [String], credential: TokenRequest.Credential = .none
  ) -> AccessToken {
    let (grant, member) = (recipient.grant, recipient.member)
    let user = member.account.user
    let requested = RequestedClaims(json: grant.claims)
    let isContinuous = requested.handlesChallenges && resource.evaluatesContinuously
    // The format of user flow tokens does not depend on the API's token version.
    let usesVersion1 = resource.tokenVersion == 1 && grant.policy == nil
    let lifetime = isContinuous ? platform.lifetimes.continuousAccessToken : platform.lifetimes.accessToken
    let times = lifetimes(lifetime)
    var claims = baseClaims(
      resource: resource, usesVersion1: usesVersion1, tenantID: grant.tenantID, policy: grant.policy, times: times)
    if usesVersion1 { addVersion1(member, grant, to: &claims) }
    if !grant.contexts.isEmpty { claims["acrs"] = .array(grant.contexts.map { .string($0) }) }
    claims["aio"] = .string(opaque("aio", grant.id))
    if resource.isGraph { claims["app_displayname"] = .string(recipient.client.displayName) }
    claims[usesVersion1 ? "appid" : "azp"] = .string(grant.clientID)
    claims[usesVersion1 ? "appidacr" : "azpacr"] = .string(credential.claim)
    if let idp = identityProvider(of: member, in: grant.tenantID) { claims["idp"] = .string(idp) }
    if resource.isGraph { claims["idtyp"] = "user" }
    claims["name"] = .string(user.shownName)
    claims["oid"] = .string(member.objectID)
    if !usesVersion1 { claims["preferred_username"] = .string(user.username) }
    if resource.isGraph { addGraphExtras(user, to: &claims) }
    claims["rh"] = .string("0.\(grant.generation).")
    let isOpenID = resource.isGraph && ScopeSet(parsing: grant.scope).scopes.contains { $0.lowercased() == "openid" }
    let permissions = (isOpenID ? ["openid", "profile", "email"] : []) + scopes
    if !permissions.isEmpty { claims["scp"] = .string(permissions.joined(separator: " ")) }
    claims["sid"] = .string(grant.sessionID)
    claims["sub"] = .string(OpaqueTokenCipher.pseudonym("sub", resource.appID, user.id, grant.tenantID))
    claims["tid"] = .string(grant.tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = usesVersion1 ? "1.0" : "2.0"
    if grant.policy == nil { addRegistered(member, grant, resource, to: &claims) }
    if isContinuous { claims["xms_cc"] = ["cp1"] }
    if let policy = grant.policy { claims["tfp"] = .string(policy) }
    // Only the emulator uses these claims: the home account and the time of multifactor authentication.
    claims["xms_home"] = .string(member.account.user.id)
    if let factorAt = grant.factorAt { claims["xms_factor"] = .integer(factorAt.secondsSince1970) }
    let body = JSON.object(claims)
    // Graph tokens for personal accounts are opaque.
    let text =
      resource.isGraph && grant.tenantID == Tenant.personalID
      ? Self.opaquePrefix + OpaqueTokenCipher.seal(body, for: .accessToken, randomness: platform.randomness)
      : sign(body, withThumbprint: usesVersion1)
    return AccessToken(text: text, expiresIn: lifetime.components.seconds - 1, isContinuous: isContinuous)
  }

  /// Adds the claims that only version 1 tokens contain.
  private func addVersion1(
    _ member: GraphState.Member, _ grant: SignInGrant, to claims: inout OrderedDictionary<String, JSON>
  ) {
    let user = member.account.user
    claims["acct"] = member.isGuest ? 1 : 0
    claims["acr"] = "1"
    claims["amr"] = methods(grant)
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    claims["ipaddr"] = .string(Self.clientIPAddress)
    claims["unique_name"] = .string(user.username)
    claims["upn"] = .string(member.userPrincipalName)
  }

  /// Adds the claims that only Graph tokens contain.
  private func addGraphExtras(_ user: User, to claims: inout OrderedDictionary<String, JSON>) {
    claims["platf"] = "14"
    claims["puid"] = .string(
      "1003"
        + String(OpaqueTokenCipher.pseudonym("puid", user.id).utf8.reduce(0) { $0 &* 31 &+ UInt64($1) }, radix: 16)
        .uppercased()
        .prefix(12))
    claims["signin_state"] = ["kmsi"]
    claims["wids"] = MembershipClaims.roles(of: user)
    claims["xms_tcdt"] = 1_356_998_400
  }

  /// Adds the claims that the API's app registration requests.
  private func addRegistered(
    _ member: GraphState.Member, _ grant: SignInGrant, _ resource: Resource,
    to claims: inout OrderedDictionary<String, JSON>
  ) {
    let (api, tenant) = platform.withState { ($0.app(resource.appID), $0.graph.tenants[grant.tenantID]) }
    guard let api else { return }
    OptionalClaims(member: member, authenticatedAt: grant.authenticatedAt, contexts: grant.contexts)
      .add(api.accessTokenClaims, to: &claims)
    if api.accessTokenClaims.contains("idtyp") { claims["idtyp"] = "user" }
    let kind = api.groupMembershipClaims ?? (api.accessTokenClaims.contains("groups") ? .securityGroup : .none)
    if kind != .none {
      MembershipClaims(kind: kind, user: member.account.user, objectID: member.objectID, tenant: tenant)
        .add(to: &claims)
    }
    if let roles = api.rolesOf(member.account.user) { claims["roles"] = roles }
  }

  /// Returns the user's authentication methods for the `amr` claim.
  func methods(_ grant: SignInGrant) -> JSON {
    .array((grant.factorAt == nil ? ["pwd"] : ["pwd", "mfa"]).map { .string($0) })
  }

  static let opaquePrefix = "EwB"

  /// Issues an app-only access token.
  func appToken(
    client: RegisteredApp, resource: Resource, tenantID: String, roles: [String],
    credential: TokenRequest.Credential, isContinuous: Bool = false
  ) -> AccessToken {
    exchange.decisionLog.record(.issuedAppToken, client: client.appId)
    let lifetime = isContinuous ? platform.lifetimes.continuousAccessToken : platform.lifetimes.accessToken
    let times = lifetimes(lifetime)
    let usesVersion1 = resource.tokenVersion == 1
    var claims = baseClaims(
      resource: resource, usesVersion1: usesVersion1, tenantID: tenantID, policy: nil, times: times)
    let principal = DerivedID.uuid(of: "principal", tenantID, client.appId)
    claims["aio"] = .string(opaque("aio", client.appId))
    claims[usesVersion1 ? "appid" : "azp"] = .string(client.appId)
    claims[usesVersion1 ? "appidacr" : "azpacr"] = .string(credential.claim)
    if resource.isGraph { claims["app_displayname"] = .string(client.displayName) }
    claims["idp"] = .string(Self.version1Issuer(tenantID: tenantID))
    claims["idtyp"] = "app"
    claims["oid"] = .string(principal)
    claims["rh"] = "0.0."
    if !roles.isEmpty { claims["roles"] = .array(roles.map { .string($0) }) }
    claims["sub"] = .string(principal)
    claims["tid"] = .string(tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = usesVersion1 ? "1.0" : "2.0"
    if isContinuous { claims["xms_cc"] = ["cp1"] }
    return AccessToken(
      text: sign(.object(claims), withThumbprint: usesVersion1),
      expiresIn: lifetime.components.seconds - 1, isContinuous: isContinuous)
  }

  private func baseClaims(
    resource: Resource, usesVersion1: Bool, tenantID: String, policy: String?, times: (from: Int64, until: Int64)
  ) -> OrderedDictionary<String, JSON> {
    [
      "aud": .string(usesVersion1 ? resource.uri : resource.appID),
      "iss": .string(
        usesVersion1
          ? Self.version1Issuer(tenantID: tenantID) : issuer(tenantID: tenantID, policy: policy)),
      "iat": .integer(times.from), "nbf": .integer(times.from), "exp": .integer(times.until),
    ]
  }

  // MARK: Helpers

  /// Returns the validity period, which starts five minutes in the past to tolerate clock skew.
  func lifetimes(_ lifetime: Duration) -> (from: Int64, until: Int64) {
    let now = exchange.now.secondsSince1970
    return (now - 300, now + lifetime.components.seconds)
  }

  func opaque(_ kind: String, _ seed: String) -> String {
    String(OpaqueTokenCipher.pseudonym(kind, seed, exchange.traceID).prefix(40))
  }

  func uniqueTokenID() -> String {
    Base64URL.encode(platform.randomness.bytes(16))
  }

  func identityProvider(of member: GraphState.Member, in tenantID: String) -> String? {
    guard member.account.homeTenantID != tenantID else { return nil }
    return member.account.homeTenantID == Tenant.personalID
      ? "live.com" : "https://sts.windows.net/\(member.account.homeTenantID)/"
  }
}
