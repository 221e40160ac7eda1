import Directory
import Documents
import Effects
import GraphEmulator
import OrderedCollections

/// The result of a sign-in. Authorization codes, refresh tokens, and approved device codes contain a grant.
struct SignInGrant: Hashable, Sendable {
  /// A unique ID, which the emulator records when the code is used.
  var id: String
  var clientID: String
  var accountID: String
  /// The tenant of the sign-in.
  var tenantID: String
  /// The B2C user flow.
  var policy: String?
  /// The requested scopes.
  var scope: String
  var authenticatedAt: Instant
  var factorAt: Instant?
  var sessionID: String
  /// The generation of the grant (see `GrantHistory`).
  var generation: Int
  var issuedAt: Instant
  /// The time of the first refresh token in the chain. Fixed lifetimes start at this time.
  var chainStartedAt: Instant
  var redirectType = RegisteredApp.RedirectType.publicClient
  var redirectURI: String?
  var challenge: String?
  var challengeMethod: String?
  var nonce: String?
  /// The `claims` parameter of the request.
  var claims: JSON?
  /// The authentication contexts that the sign-in satisfied.
  var contexts: [String] = []
  /// Whether all apps in the family can redeem the refresh token.
  var family = false
  /// The flow of a sign-in without a browser redirect, such as `password` or `deviceCode`.
  var nativeFlow: String?
  /// Whether ID tokens contain `auth_time`, because the request contained `max_age`.
  var includesAuthTime = false

  var json: JSON {
    var members: OrderedDictionary<String, JSON> = [
      "id": .string(id), "client": .string(clientID), "account": .string(accountID), "tenant": .string(tenantID),
      "scope": .string(scope), "auth": .integer(authenticatedAt.secondsSince1970), "sid": .string(sessionID),
      "gen": .integer(Int64(generation)), "iat": .integer(issuedAt.secondsSince1970),
      "chain": .integer(chainStartedAt.secondsSince1970), "type": .string(redirectType.rawValue),
    ]
    func add(_ key: String, _ text: String?) { if let text { members[key] = .string(text) } }
    add("policy", policy)
    if let factorAt { members["factor"] = .integer(factorAt.secondsSince1970) }
    add("redirect", redirectURI)
    add("challenge", challenge)
    add("method", challengeMethod)
    add("nonce", nonce)
    if let claims { members["claims"] = claims }
    if !contexts.isEmpty { members["acrs"] = .array(contexts.map { .string($0) }) }
    if family { members["family"] = true }
    add("flow", nativeFlow)
    if includesAuthTime { members["time"] = true }
    return .object(members)
  }
}

extension SignInGrant {
  init?(_ json: JSON?) {
    guard let json, let id = json["id"]?.string, let clientID = json["client"]?.string,
      let accountID = json["account"]?.string, let tenantID = json["tenant"]?.string,
      let scope = json["scope"]?.string, let auth = json["auth"]?.integer, let sessionID = json["sid"]?.string,
      let generation = json["gen"]?.integer, let issued = json["iat"]?.integer, let chain = json["chain"]?.integer,
      let type = json["type"]?.string.flatMap(RegisteredApp.RedirectType.init(rawValue:))
    else { return nil }
    self.id = id
    self.clientID = clientID
    self.accountID = accountID
    self.tenantID = tenantID
    self.scope = scope
    authenticatedAt = Instant(secondsSince1970: auth)
    self.sessionID = sessionID
    self.generation = Int(clamping: generation)
    issuedAt = Instant(secondsSince1970: issued)
    chainStartedAt = Instant(secondsSince1970: chain)
    redirectType = type
    policy = json["policy"]?.string
    factorAt = json["factor"]?.integer.map { Instant(secondsSince1970: $0) }
    redirectURI = json["redirect"]?.string
    challenge = json["challenge"]?.string
    challengeMethod = json["method"]?.string
    nonce = json["nonce"]?.string
    claims = json["claims"]
    contexts = json["acrs"]?.array?.compactMap(\.string) ?? []
    family = json["family"]?.bool ?? false
    nativeFlow = json["flow"]?.string
    includesAuthTime = json["time"]?.bool ?? false
  }
}

extension Platform {
  /// Creates a grant for a native app. The current time is the time of the sign-in.
  /// - Parameter sessionID: The ID of an existing session, or nil for a new session.
  func newGrant(
    for accountID: String, client clientID: String, tenantID: String, scope: String, at now: Instant,
    sessionID: String? = nil
  ) -> SignInGrant {
    SignInGrant(
      id: randomness.uuid(), clientID: clientID, accountID: accountID.lowercased(), tenantID: tenantID, scope: scope,
      authenticatedAt: now, sessionID: sessionID ?? randomness.uuid(),
      generation: withState { $0.history(of: accountID).generation }, issuedAt: now, chainStartedAt: now)
  }
}
