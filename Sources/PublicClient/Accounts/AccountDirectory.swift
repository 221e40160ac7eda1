import Documents
import IdentityPlatform
import OAuth
import RunTrace
import TokenCache

/// Finds accounts in the cache and makes of their records what an app sees.
struct AccountDirectory: Sendable {
  let parts: ClientParts

  /// The accounts that fit, in the cache's order. ID tokens are looked for only of those.
  func accounts(_ parameters: AccountEnumerationParameters) throws(MSALError) -> [Account] {
    let contents = try parts.contents()
    let configuration = parts.configuration
    let environments =
      configuration.multipleCloudsSupported ? nil : parts.resolver.knownAliases(of: configuration.authority)
    return contents.accounts(
      clientID: configuration.clientID, environments: environments,
      onlySignedIn: parameters.returnOnlySignedInAccounts, homeAccountID: parameters.identifier
    ).filter { fits($0.homeAccountID, $0.records, parameters) }
      .map { account($0.homeAccountID, $0.records, contents) }
  }

  private func fits(
    _ identifier: String, _ records: [AccountRecord], _ parameters: AccountEnumerationParameters
  ) -> Bool {
    func equal(_ wanted: String?, _ found: String) -> Bool {
      wanted.map { $0.lowercased() == found.lowercased() } ?? true
    }
    guard equal(parameters.username, username(identifier, records)) else { return false }
    guard let profile = parameters.tenantProfileIdentifier else { return true }
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
