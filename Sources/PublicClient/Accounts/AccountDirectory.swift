import Documents
import IdentityPlatform
import OAuth
import RunTrace
import TokenCache

/// Finds accounts in the cache and makes of their records what an app sees.
struct AccountDirectory: Sendable {
  let parts: ClientParts

  /// The accounts that fit, in the cache's order.
  func accounts(_ parameters: AccountEnumerationParameters) throws(MSALError) -> [Account] {
    let contents = try parts.contents()
    let configuration = parts.configuration
    let environments =
      configuration.multipleCloudsSupported ? nil : parts.resolver.knownAliases(of: configuration.authority)
    return contents.accounts(
      clientID: configuration.clientID, environments: environments,
      onlySignedIn: parameters.returnOnlySignedInAccounts
    ).map { account($0.homeAccountID, $0.records, contents) }.filter { Self.fits($0, parameters) }
  }

  private static func fits(_ account: Account, _ parameters: AccountEnumerationParameters) -> Bool {
    func equal(_ wanted: String?, _ found: String) -> Bool {
      wanted.map { $0.lowercased() == found.lowercased() } ?? true
    }
    guard equal(parameters.identifier, account.identifier), equal(parameters.username, account.username) else {
      return false
    }
    guard let profile = parameters.tenantProfileIdentifier else { return true }
    return (account.tenantProfiles ?? []).contains { equal(profile, $0.identifier) }
  }

  /// One account of all its records: a profile per tenant, the first of each, and the home tenant's name above all.
  private func account(_ identifier: String, _ records: [AccountRecord], _ contents: CacheContents) -> Account {
    var profiles: [TenantProfile] = []
    var username = records.first?.username ?? ""
    for record in records where !profiles.contains(where: { $0.tenantID.lowercased() == record.realm.lowercased() }) {
      let isHome =
        identifier.hasSuffix(".\(record.realm.lowercased())") || parts.configuration.authority.kind == .oidc
      if isHome { username = record.username }
      profiles.append(
        TenantProfile(
          identifier: record.localAccountID, environment: record.environment, tenantID: record.realm,
          isHomeTenantProfile: isHome, claims: claims(record, contents)))
    }
    return Account(
      identifier: identifier, username: username, environment: records.first?.environment ?? "",
      tenantProfiles: profiles,
      accountClaims: profiles.first { $0.isHomeTenantProfile }?.claims)
  }

  /// Only of ID tokens that this client got itself.
  private func claims(_ record: AccountRecord, _ contents: CacheContents) -> JSON? {
    contents.idToken(
      homeAccountID: record.homeAccountID, environments: [record.environment], clientID: parts.configuration.clientID,
      realm: record.realm
    ).flatMap { UncheckedJWT.looseClaims(of: $0.record.secret.reveal()) }
  }
}
