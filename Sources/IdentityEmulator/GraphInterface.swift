import Directory
import Documents
import Effects
import OrderedCollections

// What crosses between the identity side and Graph. The identity side has verified the token (signature, audience, time,
// revocation) before it calls; Graph judges scopes and paths, and never looks at the token itself.

/// Who calls Graph, as a verified access token says.
package struct GraphCaller: Sendable {
  /// The claims of the access token.
  var claims: JSON
  /// The id of the user's account at home, which keys `GraphState.account(_:)`; nil for an app without a user.
  var accountID: String?
  /// The user's object id in the tenant of the token; differs from `accountID` for guests. Nil for an app alone.
  package var objectID: String?
  /// The tenant that the token is for.
  var tenantID: String
  /// Delegated permissions, as in the claim `scp`; empty for an app alone.
  package var scopes: [String]
  /// Application permissions, as in the claim `roles`.
  var roles: [String]
  var appID: String

  package init(
    claims: JSON, accountID: String?, objectID: String?, tenantID: String, scopes: [String], roles: [String],
    appID: String
  ) {
    self.claims = claims
    self.accountID = accountID
    self.objectID = objectID
    self.tenantID = tenantID
    self.scopes = scopes
    self.roles = roles
    self.appID = appID
  }

  /// Whether the token was issued to an app without a user (client credentials).
  var isAppOnly: Bool { accountID == nil }
  /// Whether the user has a personal Microsoft account.
  var isPersonal: Bool { tenantID == Tenant.personalID }
}

/// What the identity side found out about the bearer token of a request to Graph.
package enum GraphAuthentication: Sendable {
  case caller(GraphCaller)
  /// No token, or none that counts; the answer is 401 with this.
  case refused(GraphAuthenticationError)
}

/// Why Graph does not take a token: the members of its error body, and the challenge of its header.
package struct GraphAuthenticationError: Sendable {
  /// `InvalidAuthenticationToken` and the like.
  var code: String
  var message: String
  /// The whole `WWW-Authenticate` header.
  var challenge: String

  package init(code: String, message: String, challenge: String) {
    self.code = code
    self.message = message
    self.challenge = challenge
  }

  /// Of a request to an upload URL, which opens nothing but its upload.
  static let uploadOnly = GraphAuthenticationError(
    code: "unauthenticated", message: "The upload URL opens nothing else.", challenge: "Bearer")
}

/// One request to Graph.
package struct GraphRequest: Sendable {
  var message: RequestMessage
  var authentication: GraphAuthentication
  /// `https://graph.microsoft.com`, or the emulator's own `scheme://host:port`; links in answers begin with it.
  var baseURL: String
  /// Percent-encoded path without its query, version included: `/v1.0/me`.
  var path: String
  /// The query as written, without its `?`; empty where there is none.
  var query: String
  /// For the headers `request-id` and, unless the caller sent one, `client-request-id`.
  var requestID: String
  var now: Instant

  package init(
    message: RequestMessage, authentication: GraphAuthentication, baseURL: String, path: String, query: String,
    requestID: String, now: Instant
  ) {
    self.message = message
    self.authentication = authentication
    self.baseURL = baseURL
    self.path = path
    self.query = query
    self.requestID = requestID
    self.now = now
  }
}

/// The doors that Graph has to the platform.
package struct GraphDependencies: Sendable {
  var randomness: any Randomness
  private let platform: Platform

  /// Sends notifications; nil if the emulator has no network.
  var sender: NotificationSender? { platform.options.notificationTransport.map { NotificationSender(transport: $0) } }

  /// - Parameter platform: the platform whose state Graph reads and changes.
  package init(platform: Platform) {
    self.platform = platform
    randomness = platform.randomness
  }

  /// Looks at the state; nobody changes it meanwhile.
  func read<Result: Sendable>(_ body: (GraphState) -> Result) -> Result {
    platform.withState { body($0.graph) }
  }

  /// The registrations, grants, and sign-ins of a tenant.
  func records(of tenantID: String) -> TenantRecords? {
    platform.withState { $0.records(of: tenantID) }
  }

  /// Changes the state in one step.
  func write<Result: Sendable>(_ body: (inout GraphState) -> Result) -> Result {
    let now = platform.now
    let canSend = sender != nil
    let result = platform.withState { state -> (Result, [GraphNotification]) in
      let before = state.graph.accounts
      let hasSubscriptions = !Subscription.all(state.graph, at: now).isEmpty
      let earlier = hasSubscriptions ? state.graph : nil
      let result = body(&state.graph)
      // What Graph changed about a user differs from the directory from now on, and belongs into the snapshot. Nearly
      // always nothing did, which is told at once: the two are the same in memory then.
      if state.graph.accounts != before { state.noteChanges(since: before) }
      let revoked = state.graph.accountsToRevoke
      state.graph.accountsToRevoke = []
      for id in revoked { if let account = state.graph.account(id) { state.revoke(account, at: now) } }
      return (result, earlier.map { state.graph.notify(since: $0, at: now, canSend: canSend) } ?? [])
    }
    send(result.1)
    return result.0
  }

  /// Sends notifications behind the answer's back: an endpoint that waits for the answer must not hold it up.
  private func send(_ notifications: [GraphNotification]) {
    guard let sender, !notifications.isEmpty else { return }
    let platform = platform
    Task {
      for notification in notifications {
        let outcome = await sender.send(notification)
        platform.withState { $0.graph.setOutcome(outcome, ofNotification: notification.number) }
      }
    }
  }
}

extension PlatformState {
  /// Notes which accounts came, went and changed.
  fileprivate mutating func noteChanges(since before: OrderedDictionary<String, GraphState.Account>) {
    for (id, account) in graph.accounts where before[id] != account {
      changedAccounts.append(id)
      if before[id] == nil {
        addedAccounts.append(id)
        deletedAccounts.remove(id)
      }
    }
    for id in before.keys where graph.accounts[id] == nil {
      changedAccounts.remove(id)
      addedAccounts.remove(id)
      deletedAccounts.append(id)
      endSessions(of: id)
    }
  }
}

/// Answers requests to Microsoft Graph.
protocol GraphResponder: Sendable {
  func answer(_ request: GraphRequest, in world: GraphDependencies) async -> ResponseMessage
}

/// The part of the emulator's state that Graph reads and writes.
package struct GraphState: Sendable {
  /// One account, wherever it is a guest; `user.id` is the object id at home.
  package struct Account: Sendable, Hashable {
    package var user: User
    var homeTenantID: String
  }

  /// One user as a tenant sees them.
  package struct Member: Sendable, Hashable {
    var account: Account
    /// The object id in this tenant.
    package var objectID: String
    var isGuest: Bool

    /// As the tenant writes it: a guest's is `gina_fabrikam.com#EXT#@contoso.onmicrosoft.com`.
    var userPrincipalName: String
  }

  /// Tenants by id, in the directory's order. Their `users` are empty here; ask `members(of:)`.
  var tenants: OrderedDictionary<String, Tenant> = [:]
  /// Tenants that the directory lacks: everybody belongs to them, as members who live elsewhere.
  var tenantsOnTheFly: OrderedSet<String> = []
  /// Accounts by home object id, in the directory's order. Changes made here are kept.
  package var accounts: OrderedDictionary<String, Account> = [:] {
    didSet { names = AccountNames() }
  }
  /// Of these very accounts, made when first asked for.
  private var names = AccountNames()
  /// Collections such as mail and events, by owner and name; what was never written comes from the directory.
  private(set) var collections: OrderedDictionary<String, [JSON]> = [:]
  /// Home object ids of accounts whose grants a request has just called back, as `revokeSignInSessions` does: refresh
  /// tokens, browser sessions, and access tokens of clients that handle claims challenges. Emptied after each change.
  var accountsToRevoke: [String] = []
  /// Data of the directory's `graph:` key, by path below the version.
  var extraData: OrderedDictionary<String, JSON> = [:]
  /// The last notifications of subscriptions. They belong to no snapshot.
  package var notifications: [GraphNotification] = []
  /// The number of the last notification.
  var notificationNumber = 0
  /// The moment at which the data was first served; relative dates of the directory count from its day.
  var epoch = Instant(secondsSince1970: 0)

  /// A state without tenants and accounts.
  package init() {}

  /// The account of that home object id, any case.
  func account(_ id: String) -> Account? { accounts[id] ?? accounts[id.lowercased()] }

  /// The account with that username, or else with that mail address; any case.
  func account(named name: String) -> Account? { names.id(of: name, in: accounts).flatMap { accounts[$0] } }

  /// Everybody in a tenant, guests last.
  func members(of tenantID: String) -> [Member] {
    guard let tenant = tenants[tenantID] else { return [] }
    var members: [Member] = []
    var guests: [Member] = []
    for account in accounts.values {
      if account.homeTenantID == tenantID {
        members.append(
          Member(
            account: account, objectID: account.user.id, isGuest: false, userPrincipalName: account.user.username))
      } else if isGuest(account, in: tenant) {
        guests.append(guest(account, in: tenant))
      }
    }
    return members + guests
  }

  /// The account as this tenant sees it; nil where it has no place there.
  func member(_ accountID: String, of tenantID: String) -> Member? {
    guard let account = account(accountID), let tenant = tenants[tenantID] else { return nil }
    if account.homeTenantID == tenantID {
      return Member(
        account: account, objectID: account.user.id, isGuest: false, userPrincipalName: account.user.username)
    }
    return isGuest(account, in: tenant) ? guest(account, in: tenant) : nil
  }

  /// The account with that object id or username in a tenant, any case.
  package func member(named name: String, of tenantID: String) -> Member? {
    let wanted = name.lowercased()
    // Nearly everybody asked for lives there; guests, and who shares a name with them, are looked for one by one.
    for account in [accounts[wanted], account(named: wanted)] {
      guard let account, account.homeTenantID == tenantID, tenants[tenantID] != nil else { continue }
      if account.user.id.lowercased() == wanted || account.user.username.lowercased() == wanted {
        return member(account.user.id, of: tenantID)
      }
    }
    return members(of: tenantID).first {
      $0.objectID.lowercased() == wanted || $0.userPrincipalName.lowercased() == wanted
    }
  }

  private func isGuest(_ account: Account, in tenant: Tenant) -> Bool {
    if tenantsOnTheFly.contains(tenant.id) { return account.homeTenantID != Tenant.personalID }
    return account.user.guestIn.contains { tenant.isNamed($0) || tenant.name.lowercased() == $0.lowercased() }
  }

  private func guest(_ account: Account, in tenant: Tenant) -> Member {
    if tenantsOnTheFly.contains(tenant.id) {
      return Member(
        account: account, objectID: DerivedID.uuid(of: "guest", tenant.id, account.user.id), isGuest: false,
        userPrincipalName: account.user.username)
    }
    let domain = tenant.domains.first { $0.hasSuffix(".onmicrosoft.com") } ?? tenant.domains.first ?? tenant.id
    return Member(
      account: account, objectID: DerivedID.uuid(of: "guest", tenant.id, account.user.id), isGuest: true,
      userPrincipalName: account.user.username.replacing("@", with: "_") + "#EXT#@" + domain)
  }

  /// A collection of an owner, such as `messages` of an account.
  /// - Returns: nil where nothing was stored; ask `seeds(_:of:)` then.
  package func collection(_ name: String, of owner: String) -> [JSON]? { collections["\(owner)/\(name)"] }

  /// Stores a collection; it is part of the emulator's state from now on.
  mutating func setCollection(_ name: String, of owner: String, to items: [JSON]) {
    collections["\(owner)/\(name)"] = items
  }

  /// What a delta answer showed; a request that reads cannot store it itself.
  package struct Seen: Sendable {
    var content: String
    var name: String
    var owner: String
  }
  /// Results of delta requests that `storeSeen` has not stored yet.
  package var seen: [Seen] = []

  /// What callers of delta saw is kept up to this many bytes; the oldest is forgotten first (410 for its links).
  private static let seenLimit = 32 << 20

  /// Keeps what a delta answer showed: it is part of the emulator's state from now on.
  package mutating func keepSeen(_ content: String, as name: String, of owner: String) {
    seen.append(Seen(content: content, name: name, owner: owner))
  }

  /// Stores what was shown.
  package mutating func storeSeen(_ shown: [Seen]) {
    for seen in shown {
      let key = "\(seen.owner)/\(seen.name)"
      // Last again, for it was just used.
      collections[key] = nil
      collections[key] = [.string(seen.content)]
    }
    func size(_ key: String) -> Int {
      key.hasPrefix(DeltaToken.ownerPrefix) ? collections[key]?.first?.string?.utf8.count ?? 0 : 0
    }
    let keys = collections.keys.filter { $0.hasPrefix(DeltaToken.ownerPrefix) }
    var total = keys.reduce(0) { $0 + size($1) }
    for key in keys.dropLast() where total > Self.seenLimit {
      total -= size(key)
      collections[key] = nil
    }
  }

  /// All stored collections, for the snapshot.
  mutating func restoreCollections(_ stored: OrderedDictionary<String, [JSON]>) { collections = stored }

  /// What the directory gives an account to start with, relative dates made absolute. `name` is `messages`, `events` or
  /// `contacts`.
  func seeds(_ name: String, of accountID: String) -> [JSON] {
    guard let user = account(accountID)?.user else { return [] }
    let seeds =
      switch name {
      case "messages": user.messages
      case "events": user.events
      case "contacts": user.contacts
      default: [JSON]()
      }
    return seeds.map { RelativeDates.resolve($0, from: epoch) }
  }
}
