import Directory
import Documents
import Effects
import GraphEmulator
import OrderedCollections

/// What somebody granted by signing in: the content of authorization codes, refresh tokens and approved device codes.
struct SignInGrant: Hashable, Sendable {
  /// Unique; a code is used up under this name.
  var id: String
  var clientID: String
  var accountID: String
  /// The tenant that was signed in to.
  var tenantID: String
  /// The B2C user flow.
  var policy: String?
  /// The scopes as they were asked for.
  var scope: String
  var authenticatedAt: Instant
  var factorAt: Instant?
  var sessionID: String
  /// The generation of the account's grants that it belongs to.
  var generation: Int
  var issuedAt: Instant
  /// When the first refresh token of the chain was issued: the fixed end of single-page apps counts from it.
  var chainStartedAt: Instant
  var redirectType: RegisteredApp.RedirectType
  var redirectURI: String?
  var challenge: String?
  var challengeMethod: String?
  var nonce: String?
  /// The `claims` parameter of the request.
  var claims: JSON?
  /// Authentication contexts that the sign-in satisfied.
  var contexts: [String] = []
  /// Whether the refresh token may be redeemed by every member of the family.
  var family = false
  /// Whether it came by password grant or device code rather than through a browser.
  var nativeFlow: String?
  /// Whether the id token says when the user signed in, because `max_age` was asked for.
  var tellsTime = false

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
    if tellsTime { members["time"] = true }
    return .object(members)
  }

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
    tellsTime = json["time"]?.bool ?? false
  }

  init(
    id: String, clientID: String, accountID: String, tenantID: String, policy: String?, scope: String,
    authenticatedAt: Instant, factorAt: Instant?, sessionID: String, generation: Int, issuedAt: Instant,
    redirectType: RegisteredApp.RedirectType
  ) {
    self.id = id
    self.clientID = clientID
    self.accountID = accountID
    self.tenantID = tenantID
    self.policy = policy
    self.scope = scope
    self.authenticatedAt = authenticatedAt
    self.factorAt = factorAt
    self.sessionID = sessionID
    self.generation = generation
    self.issuedAt = issuedAt
    chainStartedAt = issuedAt
    self.redirectType = redirectType
  }
}
