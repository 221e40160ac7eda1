import Crypto
import Directory
import Documents
import Effects
import GraphEmulator
import IdentityPlatform
import OAuth
import OrderedCollections

/// Makes tokens out of a grant: what each says is the platform's own claim sets, by kind of account and resource.
struct TokenIssuer: Sendable {
  let platform: Platform
  let exchange: EmulatorRequest

  /// Where tokens say they come from.
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

  /// The signed text of an access token's claims.
  private func sign(_ claims: JSON, withThumbprint: Bool) -> String {
    guard let key = platform.keys.current(after: platform.withState({ $0.rotations })) else { return "" }
    var header: OrderedDictionary<String, JSON> = [:]
    if withThumbprint, let keyID = key.publicKey.keyID { header["x5t"] = .string(keyID) }
    return (try? key.token(claims, header: .object(header))) ?? ""
  }

  // MARK: Id tokens

  /// Whom an app knows a user as: another name in every app, the same in its ID tokens and from userinfo.
  static func subject(
    of user: User, objectID: String, client: String, tenantID: String, policy: String?
  ) -> String {
    policy == nil ? OpaqueTokenCipher.pseudonym("sub", client, user.id, tenantID) : objectID
  }

  /// The left half of the hash, as `at_hash` and `c_hash` carry it (OpenID Connect Core §3.1.3.6).
  static func half(_ text: String) -> String {
    Base64URL.encode(Array(SHA256.hash(data: Array(text.utf8))).prefix(16))
  }

  /// The opaque `login_hint` claim; the sign-in pages read it back.
  static func loginHint(_ user: User) -> String { "O." + Base64URL.encode(user.username.utf8) }

  static func username(fromHint hint: String) -> String {
    guard hint.hasPrefix("O."), let bytes = try? Base64URL.decode(hint.dropFirst(2)) else { return hint }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The address that every browser and client has: one of those kept for documentation (RFC 5737).
  static let address = "203.0.113.7"

  // MARK: Access tokens

  struct AccessToken: Sendable {
    var text: String
    /// Seconds until its end, as answers say it: one less than the lifetime.
    var expiresIn: Int64
    /// Whether it lives long because client and resource evaluate access continuously.
    var isContinuous: Bool
  }

  /// - Parameter credential: how the app proved who it is.
  func accessToken(
    for grant: SignInGrant, member: GraphState.Member, client: RegisteredApp, resource: Resource, scopes: [String],
    credential: TokenRequest.Credential = .none
  ) -> AccessToken {
    let user = member.account.user
    let requested = RequestedClaims(json: grant.claims)
    let isContinuous = requested.handlesChallenges && resource.evaluatesContinuously
    // A user flow's tokens have their own form, whatever version the API requests.
    let isOlder = resource.tokenVersion == 1 && grant.policy == nil
    let lifetime = isContinuous ? platform.lifetimes.continuousAccessToken : platform.lifetimes.accessToken
    let times = lifetimes(lifetime)
    var claims = head(
      resource: resource, isOlder: isOlder, tenantID: grant.tenantID, policy: grant.policy, times: times)
    if isOlder { addVersion1(member, grant, to: &claims) }
    if !grant.contexts.isEmpty { claims["acrs"] = .array(grant.contexts.map { .string($0) }) }
    claims["aio"] = .string(opaque("aio", grant.id))
    if resource.isGraph { claims["app_displayname"] = .string(client.name ?? "Unnamed app") }
    claims[isOlder ? "appid" : "azp"] = .string(grant.clientID)
    claims[isOlder ? "appidacr" : "azpacr"] = .string(credential.claim)
    if let idp = identityProvider(of: member, in: grant.tenantID) { claims["idp"] = .string(idp) }
    if resource.isGraph { claims["idtyp"] = "user" }
    claims["name"] = .string(user.shownName)
    claims["oid"] = .string(member.objectID)
    if !isOlder { claims["preferred_username"] = .string(user.username) }
    if resource.isGraph { addGraphExtras(user, to: &claims) }
    claims["rh"] = .string("0.\(grant.generation).")
    let isOpenID = resource.isGraph && ScopeSet(parsing: grant.scope).scopes.contains { $0.lowercased() == "openid" }
    let permissions = (isOpenID ? ["openid", "profile", "email"] : []) + scopes
    if !permissions.isEmpty { claims["scp"] = .string(permissions.joined(separator: " ")) }
    claims["sid"] = .string(grant.sessionID)
    claims["sub"] = .string(OpaqueTokenCipher.pseudonym("sub", resource.appID, user.id, grant.tenantID))
    claims["tid"] = .string(grant.tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = isOlder ? "1.0" : "2.0"
    if grant.policy == nil { addRegistered(member, grant, resource, to: &claims) }
    if isContinuous { claims["xms_cc"] = ["cp1"] }
    if let policy = grant.policy { claims["tfp"] = .string(policy) }
    // Who it is at home, and by what proof, for the emulator itself; the real platform has claims of its own for that.
    claims["xms_home"] = .string(member.account.user.id)
    if let factorAt = grant.factorAt { claims["xms_factor"] = .integer(factorAt.secondsSince1970) }
    let body = JSON.object(claims)
    // Personal accounts get an opaque token for Graph, which no client can read.
    let text =
      resource.isGraph && grant.tenantID == Tenant.personalID
      ? Self.opaquePrefix + OpaqueTokenCipher.seal(body, for: .accessToken, randomness: platform.randomness)
      : sign(body, withThumbprint: isOlder)
    return AccessToken(text: text, expiresIn: lifetime.components.seconds - 1, isContinuous: isContinuous)
  }

  /// The claims that only tokens of version 1 have.
  private func addVersion1(
    _ member: GraphState.Member, _ grant: SignInGrant, to claims: inout OrderedDictionary<String, JSON>
  ) {
    let user = member.account.user
    claims["acct"] = member.isGuest ? 1 : 0
    claims["acr"] = "1"
    claims["amr"] = methods(grant)
    if let surname = user.surname { claims["family_name"] = .string(surname) }
    if let givenName = user.givenName { claims["given_name"] = .string(givenName) }
    claims["ipaddr"] = .string(Self.address)
    claims["unique_name"] = .string(user.username)
    claims["upn"] = .string(member.userPrincipalName)
  }

  /// What Graph's own tokens say besides.
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

  /// What the API's own registration asks for in tokens to it.
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

  /// How the user proved who they are (`amr`).
  func methods(_ grant: SignInGrant) -> JSON {
    .array((grant.factorAt == nil ? ["pwd"] : ["pwd", "mfa"]).map { .string($0) })
  }

  static let opaquePrefix = "EwB"

  /// A token for an app without a user.
  func appToken(
    client: RegisteredApp, resource: Resource, tenantID: String, roles: [String],
    credential: TokenRequest.Credential, isContinuous: Bool = false
  ) -> AccessToken {
    exchange.audit.note("issued an app token", client: client.appId)
    let lifetime = isContinuous ? platform.lifetimes.continuousAccessToken : platform.lifetimes.accessToken
    let times = lifetimes(lifetime)
    let isOlder = resource.tokenVersion == 1
    var claims = head(resource: resource, isOlder: isOlder, tenantID: tenantID, policy: nil, times: times)
    let principal = DerivedID.uuid(of: "principal", tenantID, client.appId)
    claims["aio"] = .string(opaque("aio", client.appId))
    claims[isOlder ? "appid" : "azp"] = .string(client.appId)
    claims[isOlder ? "appidacr" : "azpacr"] = .string(credential.claim)
    if resource.isGraph { claims["app_displayname"] = .string(client.name ?? "Unnamed app") }
    claims["idp"] = .string(Self.olderIssuer(tenantID: tenantID))
    claims["idtyp"] = "app"
    claims["oid"] = .string(principal)
    claims["rh"] = "0.0."
    if !roles.isEmpty { claims["roles"] = .array(roles.map { .string($0) }) }
    claims["sub"] = .string(principal)
    claims["tid"] = .string(tenantID)
    claims["uti"] = .string(uniqueTokenID())
    claims["ver"] = isOlder ? "1.0" : "2.0"
    if isContinuous { claims["xms_cc"] = ["cp1"] }
    return AccessToken(
      text: sign(.object(claims), withThumbprint: isOlder),
      expiresIn: lifetime.components.seconds - 1, isContinuous: isContinuous)
  }

  private func head(
    resource: Resource, isOlder: Bool, tenantID: String, policy: String?, times: (from: Int64, until: Int64)
  ) -> OrderedDictionary<String, JSON> {
    [
      "aud": .string(isOlder ? resource.uri : resource.appID),
      "iss": .string(
        isOlder
          ? Self.olderIssuer(tenantID: tenantID) : issuer(tenantID: tenantID, policy: policy)),
      "iat": .integer(times.from), "nbf": .integer(times.from), "exp": .integer(times.until),
    ]
  }

  // MARK: Parts

  /// Tokens begin five minutes ago, so that a clock that is a little slow takes them.
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
