import Documents
import Effects
import RunTrace

/// The values from a token response that are saved in the cache.
package struct TokensToSave: Sendable {
  package var homeAccountID: String
  /// The cloud's preferred cache host.
  package var environment: String
  /// All hosts of the cloud. Entries stored under any of them are replaced.
  package var environments: [String] = []
  package var clientID: String
  package var realm: String
  /// The granted scopes, in the server's order and case.
  package var target: [String]
  package var accessToken: Secret?
  package var tokenType = "Bearer"
  package var expiresOn: Instant
  package var extendedExpiresOn: Instant?
  package var refreshOn: Instant?
  package var refreshToken: Secret?
  package var familyID: String?
  package var idToken: Secret?
  package var account: AccountRecord?

  package init(
    homeAccountID: String, environment: String, clientID: String, realm: String, target: [String], expiresOn: Instant
  ) {
    self.homeAccountID = homeAccountID
    self.environment = environment
    self.clientID = clientID
    self.realm = realm
    self.target = target
    self.expiresOn = expiresOn
  }
}

extension CacheContents {
  /// Saves tokens as MSAL does: replaces access tokens with overlapping scopes, stores family refresh tokens twice, and
  /// always writes the app metadata.
  package mutating func save(_ tokens: TokensToSave, now: Instant) {
    saveAccessToken(tokens, now: now)
    saveRefreshToken(tokens, now: now)
    if let idToken = tokens.idToken {
      let record = IDTokenRecord(
        homeAccountID: tokens.homeAccountID, environment: tokens.environment, clientID: tokens.clientID,
        realm: tokens.realm, secret: idToken)
      put(record, at: record.key, in: .idToken)
    }
    if let account = tokens.account { put(account, at: account.key, in: .account) }
    let metadata = AppMetadataRecord(
      clientID: tokens.clientID, environment: tokens.environment, familyID: tokens.familyID ?? "")
    put(metadata, at: metadata.key, in: .appMetadata)
  }

  private mutating func saveAccessToken(_ tokens: TokensToSave, now: Instant) {
    guard let accessToken = tokens.accessToken else { return }
    let record = AccessTokenRecord(accessToken, of: tokens, cachedAt: now)
    let hosts = Set((tokens.environments + [tokens.environment]).map { CacheKey.normalized($0) })
    let scopes = Set(tokens.target.map { $0.lowercased() })
    for (key, old) in records(.accessToken, ofAccount: tokens.homeAccountID, as: AccessTokenRecord.self) {
      guard key != record.key, hosts.contains(CacheKey.normalized(old.environment)),
        CacheKey.normalized(old.clientID) == CacheKey.normalized(tokens.clientID),
        CacheKey.normalized(old.realm) == CacheKey.normalized(tokens.realm),
        old.tokenType.lowercased() == tokens.tokenType.lowercased(), old.isPlainBearer,
        old.scopes.contains(where: { scopes.contains($0.lowercased()) })
      else { continue }
      remove(key, from: .accessToken)
    }
    put(record, at: record.key, in: .accessToken)
  }

  private mutating func saveRefreshToken(_ tokens: TokensToSave, now: Instant) {
    guard let refreshToken = tokens.refreshToken else { return }
    let hosts = Set((tokens.environments + [tokens.environment]).map { CacheKey.normalized($0) })
    let copies: [String?] = if let family = tokens.familyID { [nil, family] } else { [nil] }
    for familyID in copies {
      let record = RefreshTokenRecord(refreshToken, of: tokens, familyID: familyID, modifiedAt: now)
      // Keys contain the scopes, so the previous token may be stored under a different key.
      for (key, old) in records(.refreshToken, ofAccount: tokens.homeAccountID, as: RefreshTokenRecord.self) {
        guard key != record.key, old.isPlain, hosts.contains(CacheKey.normalized(old.environment)),
          old.familyID == familyID,
          familyID != nil || CacheKey.normalized(old.clientID) == CacheKey.normalized(tokens.clientID)
        else { continue }
        remove(key, from: .refreshToken)
      }
      put(record, at: record.key, in: .refreshToken)
    }
  }
}
