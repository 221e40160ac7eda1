import Directory
import Documents
import Effects
import OrderedCollections

/// The part of the emulator's state that Graph reads and writes.
package struct GraphState: Sendable {
  /// An account, including its guest memberships. `user.id` is the object id in the home tenant.
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

    /// The user principal name in this tenant. For guests, it looks like
    /// `gina_fabrikam.com#EXT#@contoso.onmicrosoft.com`.
    package var userPrincipalName: String
  }

  /// The tenants by id, in directory order. Their `users` are empty. Use `members(of:)` instead.
  package var tenants: OrderedDictionary<String, Tenant> = [:]
  /// The ids of tenants that are not in the directory. All work accounts are also members of these tenants.
  package var tenantsOnTheFly: OrderedSet<String> = []
  /// The accounts by home object id, in directory order. The emulator saves changes to the accounts.
  package var accounts: OrderedDictionary<String, Account> = [:] {
    didSet { names = AccountNames() }
  }
  /// An index of the current accounts by name, built on demand.
  private var names = AccountNames()
  /// The stored collections, such as mail and events, by owner and name. If a collection is not stored, its initial
  /// items come from the directory.
  package private(set) var collections: OrderedDictionary<String, [JSON]> = [:]
  /// The home object ids of the accounts whose sessions a `revokeSignInSessions` request revoked. The identity emulator
  /// revokes the refresh tokens and browser sessions of these accounts, and the access tokens of clients that handle
  /// claims challenges. It then clears this list.
  package var accountsToRevoke: [String] = []
  /// Custom data under the directory's `graph` key, by path without the version.
  package var customData: OrderedDictionary<String, JSON> = [:]
  /// The recent subscription notifications. State snapshots do not include them.
  package var notifications: [GraphNotification] = []
  /// The sequence number of the latest notification.
  package var notificationNumber = 0
  /// The time of the first request. Relative dates in the directory are relative to the day of this request.
  package var epoch = Instant(secondsSince1970: 0)

  /// Creates a state without tenants or accounts.
  package init() {}

  /// Returns the account with this home object id, ignoring case.
  package func account(_ id: String) -> Account? { accounts[id] ?? accounts[id.lowercased()] }

  /// Returns the account with this username or email address, ignoring case.
  package func account(named name: String) -> Account? { names.id(of: name, in: accounts).flatMap { accounts[$0] } }

  /// Returns all members of a tenant, with the guests last.
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

  /// Returns the account's membership in a tenant, or nil if the account is not a member.
  package func member(_ accountID: String, of tenantID: String) -> Member? {
    guard let account = account(accountID), let tenant = tenants[tenantID] else { return nil }
    if account.homeTenantID == tenantID {
      return Member(
        account: account, objectID: account.user.id, isGuest: false, userPrincipalName: account.user.username)
    }
    return isGuest(account, in: tenant) ? guest(account, in: tenant) : nil
  }

  /// Returns the member with this object id or username, ignoring case.
  package func member(named name: String, of tenantID: String) -> Member? {
    let requested = name.lowercased()
    // Most lookups find a home account. Only guests, and accounts that share a name with a guest, need a search.
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

  /// Returns one of an owner's stored collections, such as an account's `messages`.
  /// - Returns: The items, or nil if the collection is not stored. In that case, use `seeds(_:of:)`.
  package func collection(_ name: String, of owner: String) -> [JSON]? { collections["\(owner)/\(name)"] }

  /// Stores a collection in the emulator's state.
  package mutating func setCollection(_ name: String, of owner: String, to items: [JSON]) {
    collections["\(owner)/\(name)"] = items
  }

  /// The result of a delta request, which the caller must store because a read request cannot change the state.
  package struct DeltaResult: Sendable {
    var content: String
    var name: String
    var owner: String
  }
  /// The results of delta requests that `storeDeltaResults(_:)` has not stored yet.
  package var deltaResults: [DeltaResult] = []

  /// The maximum total size of the stored delta results in bytes. The emulator removes the oldest results first.
  /// Requests to their links then return status 410.
  private static let deltaResultLimit = 32 << 20

  /// Records the result of a delta request for `storeDeltaResults(_:)`.
  package mutating func recordDeltaResult(_ content: String, as name: String, of owner: String) {
    deltaResults.append(DeltaResult(content: content, name: name, owner: owner))
  }

  /// Stores the results of delta requests and removes the oldest results if their total size exceeds the limit.
  package mutating func storeDeltaResults(_ results: [DeltaResult]) {
    for result in results {
      let key = "\(result.owner)/\(result.name)"
      // Move the entry to the end, because the oldest entries are removed first.
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

  /// Replaces all stored collections with the collections from a snapshot.
  package mutating func restoreCollections(_ stored: OrderedDictionary<String, [JSON]>) { collections = stored }

  /// Returns an account's initial items from the directory, with absolute dates. `name` is `messages`, `events`, or
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
