import Documents
import RunTrace

extension CacheContents {
  /// Returns the app's own refresh token for an account. Ignores family refresh tokens.
  package func refreshToken(
    homeAccountID: String, environments: [String], clientID: String
  ) -> (key: String, record: RefreshTokenRecord)? {
    let client = CacheKey.normalized(clientID)
    return refreshToken(homeAccountID, environments) { record in
      record.familyID == nil && CacheKey.normalized(record.clientID) == client
    }
  }

  /// Returns the refresh token that a family of apps shares.
  package func familyRefreshToken(
    homeAccountID: String, environments: [String], familyID: String
  ) -> (key: String, record: RefreshTokenRecord)? {
    refreshToken(homeAccountID, environments) { $0.familyID == familyID }
  }

  /// Returns the family whose refresh token an app can try. This is the family in the app's metadata, or `1` if the app
  /// has no metadata. Returns nil if the app does not belong to a family.
  package func familyIDToTry(clientID: String, environments: [String]) -> String? {
    guard let metadata = appMetadata(clientID: clientID, environments: environments) else { return "1" }
    return metadata.record.familyID.isEmpty ? nil : metadata.record.familyID
  }

  package func appMetadata(
    clientID: String, environments: [String]
  ) -> (key: String, record: AppMetadataRecord)? {
    let all = records(.appMetadata, as: AppMetadataRecord.self)
    let client = CacheKey.normalized(clientID)
    for environment in environments {
      let environment = CacheKey.normalized(environment)
      if let match = all.first(where: {
        CacheKey.normalized($0.record.clientID) == client && CacheKey.normalized($0.record.environment) == environment
      }) {
        return match
      }
    }
    return nil
  }

  /// Removes an app from its family after a `client_mismatch` error, so that silent calls do not try the family again.
  package mutating func leaveFamily(clientID: String, environments: [String]) {
    let existing = appMetadata(clientID: clientID, environments: environments)
    let environment = existing?.record.environment ?? environments.first ?? ""
    let record = AppMetadataRecord(
      clientID: existing?.record.clientID ?? clientID, environment: environment, familyID: "")
    put(record, at: existing?.key ?? record.key, in: .appMetadata)
  }

  /// Deletes a refresh token after a `bad_token` error, unless another process has replaced it.
  /// - Returns: Whether the token was deleted.
  @discardableResult
  package mutating func removeRefreshToken(_ key: String, ifSecretIs secret: Secret) -> Bool {
    guard entry(.refreshToken, key)?["secret"]?.string == secret.reveal() else { return false }
    remove(key, from: .refreshToken)
    return true
  }

  private func refreshToken(
    _ homeAccountID: String, _ environments: [String], where isMatch: (RefreshTokenRecord) -> Bool
  ) -> (key: String, record: RefreshTokenRecord)? {
    let candidates = records(.refreshToken, ofAccount: homeAccountID, as: RefreshTokenRecord.self)
      .filter { $0.record.isUsable && isMatch($0.record) }
    for environment in environments {
      let environment = CacheKey.normalized(environment)
      if let match = candidates.first(where: { CacheKey.normalized($0.record.environment) == environment }) {
        return match
      }
    }
    return nil
  }
}
