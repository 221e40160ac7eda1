import Directory
import Documents
import Effects
import OrderedCollections

/// The part of the emulator's state that Graph reads and writes.
package struct GraphState: Sendable {
  /// An account with all its guest memberships. `user.id` is the object id in the home tenant.
  package struct Account: Sendable, Hashable {
    package var user: User
    package var homeTenantID: String

    package init(user: User, homeTenantID: String) {
      self.user = user
      self.homeTenantID = homeTenantID
    }
  }

  /// A user as a member of a tenant.
  package struct Member: Sendable, Hashable {
    package var account: Account
    /// The object id in this tenant.
    package var objectID: String
    package var isGuest: Bool

    /// The user principal name in this tenant. For guests, it is similar to
    /// `gina_fabrikam.com#EXT#@contoso.onmicrosoft.com`.
    package var userPrincipalName: String
  }

  /// Tenants by id, in the order of the directory. Their `users` are empty: use `members(of:)`.
  package var tenants: OrderedDictionary<String, Tenant> = [:]
  /// Tenants that are not in the directory. All accounts are members of them, with another home tenant.
  package var tenantsOnTheFly: OrderedSet<String> = []
  /// Accounts by home object id, in the order of the directory. Changes are saved.
  package var accounts: OrderedDictionary<String, Account> = [:] {
    didSet { names = AccountNames() }
  }
  /// The name index of the current accounts, built on demand.
  private var names = AccountNames()
  /// Stored collections, such as mail and events, by owner and name. Unchanged collections come from the directory.
  package private(set) var collections: OrderedDictionary<String, [JSON]> = [:]
  /// Home object ids of accounts whose sessions a request revoked with `revokeSignInSessions`: refresh tokens, browser
  /// sessions, and access tokens of clients that handle claims challenges. Cleared after each change.
  package var accountsToRevoke: [String] = []
  /// Custom data under the directory's `graph` key, by path without the version.
  package var customData: OrderedDictionary<String, JSON> = [:]
  /// Recent notifications of subscriptions. They are not part of the snapshot.
  package var notifications: [GraphNotification] = []
  /// The number of the last notification.
  package var notificationNumber = 0
  /// The time at which the data was first served. Relative dates of the directory are based on its day.
  package var epoch = Instant(secondsSince1970: 0)

  /// Creates a state without tenants and accounts.
  package init() {}

  /// Returns the account with a home object id (case-insensitive).
  package func account(_ id: String) -> Account? { accounts[id] ?? accounts[id.lowercased()] }

  /// Returns the account with a username or mail address (case-insensitive).
  package func account(named name: String) -> Account? { names.id(of: name, in: accounts).flatMap { accounts[$0] } }

  /// Returns all members of a tenant, with guests last.
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

  /// Returns the account as a member of a tenant, or nil if it is not a member.
  package func member(_ accountID: String, of tenantID: String) -> Member? {
    guard let account = account(accountID), let tenant = tenants[tenantID] else { return nil }
    if account.homeTenantID == tenantID {
      return Member(
        account: account, objectID: account.user.id, isGuest: false, userPrincipalName: account.user.username)
    }
    return isGuest(account, in: tenant) ? guest(account, in: tenant) : nil
  }

  /// Returns the member with an object id or username (case-insensitive).
  package func member(named name: String, of tenantID: String) -> Member? {
    let requested = name.lowercased()
    // Most lookups find a home account. Guests, and accounts with the same name as a guest, are checked individually.
    for account in [accounts[requested], account(named: requested)] {
      guard let account, account.homeTenantID == tenantID, tenants[tenantID] != nil else { continue }
      if account.user.id.lowercased() == requested || account.user.username.lowercased() == requested {
        return member(account.user.id, of: tenantID)
      }
    }
    return members(of: tenantID).first {
      $0.objectID.lowercased() == requested || $0.userPrincipalName.lowercased() == requested
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

  /// Returns a stored collection of an owner, such as `messages` of an account.
  /// - Returns: Nil if the collection is not stored. In that case, use `seeds(_:of:)`.
  package func collection(_ name: String, of owner: String) -> [JSON]? { collections["\(owner)/\(name)"] }

  /// Stores a collection in the emulator's state.
  package mutating func setCollection(_ name: String, of owner: String, to items: [JSON]) {
    collections["\(owner)/\(name)"] = items
  }

  /// The result of a delta request. A reading request cannot store it itself.
  package struct DeltaResult: Sendable {
    var content: String
    var name: String
    var owner: String
  }
  /// Results of delta requests that `storeSeen` has not stored yet.
  package var deltaResults: [DeltaResult] = []

  /// The maximum total size of stored delta results. The oldest are removed first, and their links return 410.
  private static let deltaResultLimit = 32 << 20

  /// Records the result of a delta request, for storage in the emulator's state.
  package mutating func recordDeltaResult(_ content: String, as name: String, of owner: String) {
    deltaResults.append(DeltaResult(content: content, name: name, owner: owner))
  }

  /// Stores results of delta requests.
  package mutating func storeDeltaResults(_ results: [DeltaResult]) {
    for result in results {
      let key = "\(result.owner)/\(result.name)"
      // Moves the entry to the end, because it was just used.
      collections[key] = nil
      collections[key] = [.string(result.content)]
    }
    func size(_ key: String) -> Int {
      key.hasPrefix(DeltaToken.ownerPrefix) ? collections[key]?.first?.string?.utf8.count ?? 0 : 0
    }
    let keys = collections.keys.filter { $0.hasPrefix(DeltaToken.ownerPrefix) }
    var total = keys.reduce(0) { $0 + size($1) }
    for key in keys.dropLast() where total > Self.deltaResultLimit {
      total -= size(key)
      collections[key] = nil
    }
  }

  /// Replaces all stored collections with those of a snapshot.
  package mutating func restoreCollections(_ stored: OrderedDictionary<String, [JSON]>) { collections = stored }

  /// Returns the initial items of an account from the directory, with absolute dates. `name` is `messages`, `events`,
  /// or `contacts`.
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
