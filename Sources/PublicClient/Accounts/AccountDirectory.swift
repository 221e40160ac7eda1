import Documents
import IdentityPlatform
import OAuth
import OrderedCollections
import RunTrace
import TokenCache

/// The accounts in the cache, each combined from its records.
struct AccountDirectory: Sendable {
  let parts: RequestDependencies

  /// Returns the matching accounts from all clouds, in cache order.
  func accounts(_ parameters: AccountEnumerationParameters) throws(MSALError) -> [Account] {
    let contents = try parts.contents()
    return records(contents, parameters).filter { matches($0.records, parameters) }
      .map { account($0.homeAccountID, $0.records, contents) }
  }

  private func records(
    _ contents: CacheContents, _ parameters: AccountEnumerationParameters
  ) -> [(homeAccountID: String, records: [AccountRecord])] {
    let (client, identifier) = (parts.configuration.clientID, parameters.identifier?.unlessBlank)
    let all = contents.accounts(clientID: client, environments: nil, onlySignedIn: false, homeAccountID: identifier)
    guard parameters.returnOnlySignedInAccounts else { return all }
    // The tokens that make an account visible can be cached under another host in the same cloud.
    let hosts = OrderedSet(all.flatMap { $0.records.map(\.environment) })
    let aliases = OrderedSet(hosts.flatMap { parts.resolver.knownAliases(ofHost: $0) })
    return contents.accounts(
      clientID: client, environments: Array(aliases), onlySignedIn: true, homeAccountID: identifier)
  }

  /// Finds the cached account for an account that has only a username, such as an account from ADAL.
  /// - Parameter onlySignedIn: Whether to search only accounts that are signed in to this app.
  /// - Returns: The cached account, or the account itself if it has an identifier or is not cached.
  func resolve(_ account: Account, onlySignedIn: Bool = true) throws(MSALError) -> Account {
    guard account.identifier.isBlank, !account.username.isBlank else { return account }
    var parameters = AccountEnumerationParameters(username: account.username)
    parameters.returnOnlySignedInAccounts = onlySignedIn
    guard let first = try accounts(parameters).first else { return account }
    parts.trace.recordDecision(
      "account", "found by username", reason: "\(account.username) is cached as \(first.identifier)")
    return first
  }

  private func matches(_ records: [AccountRecord], _ parameters: AccountEnumerationParameters) -> Bool {
    func matches(_ filter: String?, _ value: String) -> Bool {
      filter?.unlessBlank.map { $0.lowercased() == value.lowercased() } ?? true
    }
    // A guest can have a different username in the resource tenant, so all tenant profiles are compared.
    return records.contains { matches(parameters.username, $0.username) }
      && records.contains { matches(parameters.tenantProfileIdentifier, $0.localAccountID) }
  }

  /// Returns the username in the home tenant, or in the first tenant if the home tenant is not cached.
  private func username(_ identifier: String, _ records: [AccountRecord]) -> String {
    (records.first { isHome($0, identifier) } ?? records.first)?.username ?? ""
  }

  private func isHome(_ record: AccountRecord, _ identifier: String) -> Bool {
    identifier.hasSuffix(".\(record.realm.lowercased())") || parts.configuration.authority.kind == .oidc
  }

  /// Combines records into an account, with the first profile of each tenant.
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

  /// Returns the claims of this client's ID token.
  private func claims(_ record: AccountRecord, _ contents: CacheContents) -> IDTokenClaims? {
    contents.idToken(
      homeAccountID: record.homeAccountID, environments: [record.environment], clientID: parts.configuration.clientID,
      realm: record.realm
    ).map { IDTokenClaims(of: $0.record.secret) }
  }
}
