import Documents
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// Finds accounts in the cache and makes of their records what an app sees.
struct AccountDirectory: Sendable {
  let parts: RequestDependencies

  /// The accounts that fit, of whatever cloud, in the cache's order. ID tokens are looked for only of those.
  func accounts(_ parameters: AccountEnumerationParameters) throws(MSALError) -> [Account] {
    let contents = try parts.contents()
    return records(contents, parameters).filter { fits($0.homeAccountID, $0.records, parameters) }
      .map { account($0.homeAccountID, $0.records, contents) }
  }

  private func records(
    _ contents: CacheContents, _ parameters: AccountEnumerationParameters
  ) -> [(homeAccountID: String, records: [AccountRecord])] {
    let (client, identifier) = (parts.configuration.clientID, parameters.identifier?.unlessBlank)
    let all = contents.accounts(clientID: client, environments: nil, onlySignedIn: false, homeAccountID: identifier)
    guard parameters.returnOnlySignedInAccounts else { return all }
    // The tokens that show who is signed in may be kept under another host of the same cloud.
    let hosts = OrderedSet(all.flatMap { $0.records.map(\.environment) })
    let aliases = OrderedSet(hosts.flatMap { parts.resolver.knownAliases(ofHost: $0) })
    return contents.accounts(
      clientID: client, environments: Array(aliases), onlySignedIn: true, homeAccountID: identifier)
  }

  /// An account of which an app knows no more than the name, as one that comes from ADAL does: the cache knows the rest.
  /// - Parameter onlySignedIn: false also finds accounts that are signed out of this app, or only in another one.
  /// - Returns: the account as given, where it is known well or not at all.
  func known(_ account: Account, onlySignedIn: Bool = true) throws(MSALError) -> Account {
    guard account.identifier.isBlank, !account.username.isBlank else { return account }
    var parameters = AccountEnumerationParameters(username: account.username)
    parameters.returnOnlySignedInAccounts = onlySignedIn
    guard let first = try accounts(parameters).first else { return account }
    parts.trace.recordDecision("account", "found by name", reason: "\(account.username) is kept as \(first.identifier)")
    return first
  }

  private func fits(
    _ identifier: String, _ records: [AccountRecord], _ parameters: AccountEnumerationParameters
  ) -> Bool {
    func equal(_ wanted: String?, _ found: String) -> Bool {
      wanted?.unlessBlank.map { $0.lowercased() == found.lowercased() } ?? true
    }
    // The user name of any tenant profile: a guest may have another one in the inviting tenant.
    guard records.contains(where: { equal(parameters.username, $0.username) }) else { return false }
    guard let profile = parameters.tenantProfileIdentifier?.unlessBlank else { return true }
    return records.contains { equal(profile, $0.localAccountID) }
  }

  /// The home tenant's name above all.
  private func username(_ identifier: String, _ records: [AccountRecord]) -> String {
    (records.first { isHome($0, identifier) } ?? records.first)?.username ?? ""
  }

  private func isHome(_ record: AccountRecord, _ identifier: String) -> Bool {
    identifier.hasSuffix(".\(record.realm.lowercased())") || parts.configuration.authority.kind == .oidc
  }

  /// One account of all its records: a profile per tenant, the first of each.
  private func account(_ identifier: String, _ records: [AccountRecord], _ contents: CacheContents) -> Account {
    var profiles: [TenantProfile] = []
    for record in records where !profiles.contains(where: { $0.tenantID.lowercased() == record.realm.lowercased() }) {
      profiles.append(
        TenantProfile(
          identifier: record.localAccountID, environment: record.environment, tenantID: record.realm,
          isHomeTenantProfile: isHome(record, identifier), tokenClaims: claims(record, contents)))
    }
    return Account(
      identifier: identifier, username: username(identifier, records), environment: records.first?.environment ?? "",
      tenantProfiles: profiles, claims: profiles.first { $0.isHomeTenantProfile }?.tokenClaims)
  }

  /// Only of ID tokens that this client got itself.
  private func claims(_ record: AccountRecord, _ contents: CacheContents) -> IDTokenClaims? {
    contents.idToken(
      homeAccountID: record.homeAccountID, environments: [record.environment], clientID: parts.configuration.clientID,
      realm: record.realm
    ).map { IDTokenClaims(of: $0.record.secret) }
  }
}
