import Directory
import Documents
import Effects
import OrderedCollections

/// The part of the emulator's state that Graph reads and writes.
package struct GraphState: Sendable {
  /// One account, wherever it is a guest; `user.id` is the object id at home.
  package struct Account: Sendable, Hashable {
    package var user: User
    package var homeTenantID: String

    package init(user: User, homeTenantID: String) {
      self.user = user
      self.homeTenantID = homeTenantID
    }
  }

  /// One user as a tenant sees them.
  package struct Member: Sendable, Hashable {
    package var account: Account
    /// The object id in this tenant.
    package var objectID: String
    package var isGuest: Bool

    /// As the tenant writes it: a guest's is `gina_fabrikam.com#EXT#@contoso.onmicrosoft.com`.
    package var userPrincipalName: String
  }

  /// Tenants by id, in the directory's order. Their `users` are empty here; ask `members(of:)`.
  package var tenants: OrderedDictionary<String, Tenant> = [:]
  /// Tenants that the directory lacks: everybody belongs to them, as members who live elsewhere.
  package var tenantsOnTheFly: OrderedSet<String> = []
  /// Accounts by home object id, in the directory's order. Changes made here are kept.
  package var accounts: OrderedDictionary<String, Account> = [:] {
    didSet { names = AccountNames() }
  }
  /// Of these very accounts, made when first asked for.
  private var names = AccountNames()
  /// Collections such as mail and events, by owner and name; what was never written comes from the directory.
  package private(set) var collections: OrderedDictionary<String, [JSON]> = [:]
  /// Home object ids of accounts whose grants a request has just called back, as `revokeSignInSessions` does: refresh
  /// tokens, browser sessions, and access tokens of clients that handle claims challenges. Emptied after each change.
  package var accountsToRevoke: [String] = []
  /// Data of the directory's `graph:` key, by path below the version.
  package var extraData: OrderedDictionary<String, JSON> = [:]
  /// The last notifications of subscriptions. They belong to no snapshot.
  package var notifications: [GraphNotification] = []
  /// The number of the last notification.
  package var notificationNumber = 0
  /// The moment at which the data was first served; relative dates of the directory count from its day.
  package var epoch = Instant(secondsSince1970: 0)

  /// A state without tenants and accounts.
  package init() {}

  /// The account of that home object id, any case.
  package func account(_ id: String) -> Account? { accounts[id] ?? accounts[id.lowercased()] }

  /// The account with that username, or else with that mail address; any case.
  package func account(named name: String) -> Account? { names.id(of: name, in: accounts).flatMap { accounts[$0] } }

  /// Everybody in a tenant, guests last.
  package func members(of tenantID: String) -> [Member] {
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
  package func member(_ accountID: String, of tenantID: String) -> Member? {
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
  package mutating func setCollection(_ name: String, of owner: String, to items: [JSON]) {
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
  package mutating func restoreCollections(_ stored: OrderedDictionary<String, [JSON]>) { collections = stored }

  /// What the directory gives an account to start with, relative dates made absolute. `name` is `messages`, `events` or
  /// `contacts`.
  package func seeds(_ name: String, of accountID: String) -> [JSON] {
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
