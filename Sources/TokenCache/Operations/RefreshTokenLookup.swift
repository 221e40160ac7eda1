import Documents
import RunTrace

extension CacheContents {
  /// The app's own refresh token for an account; family copies are none.
  package func refreshToken(
    homeAccountID: String, environments: [String], clientID: String
  ) -> (key: String, record: RefreshTokenRecord)? {
    let client = CacheKey.normal(clientID)
    return refreshToken(homeAccountID, environments) { record in
      record.familyID == nil && CacheKey.normal(record.clientID) == client
    }
  }

  /// The refresh token that a family of apps shares.
  package func familyRefreshToken(
    homeAccountID: String, environments: [String], familyID: String
  ) -> (key: String, record: RefreshTokenRecord)? {
    refreshToken(homeAccountID, environments) { $0.familyID == familyID }
  }

  /// The family to try for an app: what its metadata says; family `1` where there is no metadata yet; nil where the app is
  /// known to belong to none.
  package func familyIDToTry(clientID: String, environments: [String]) -> String? {
    guard let metadata = appMetadata(clientID: clientID, environments: environments) else { return "1" }
    return metadata.record.familyID.isEmpty ? nil : metadata.record.familyID
  }

  package func appMetadata(
    clientID: String, environments: [String]
  ) -> (key: String, record: AppMetadataRecord)? {
    let all = records(.appMetadata, as: AppMetadataRecord.self)
    let client = CacheKey.normal(clientID)
    for environment in environments {
      let environment = CacheKey.normal(environment)
      if let found = all.first(where: {
        CacheKey.normal($0.record.clientID) == client && CacheKey.normal($0.record.environment) == environment
      }) {
        return found
      }
    }
    return nil
  }

  /// The app does not belong to its family after all (`client_mismatch`): the next silent call does not try the family.
  package mutating func leaveFamily(clientID: String, environments: [String]) {
    let known = appMetadata(clientID: clientID, environments: environments)
    let environment = known?.record.environment ?? environments.first ?? ""
    let record = AppMetadataRecord(clientID: known?.record.clientID ?? clientID, environment: environment, familyID: "")
    put(record, at: known?.key ?? record.key, in: .appMetadata)
  }

  /// Deletes a refresh token that the server calls bad, unless another process has put a newer one in its place.
  /// - Returns: whether it was deleted.
  @discardableResult
  package mutating func removeRefreshToken(_ key: String, ifSecretIs secret: Secret) -> Bool {
    guard entry(.refreshToken, key)?["secret"]?.string == secret.reveal() else { return false }
    remove(key, from: .refreshToken)
    return true
  }

  private func refreshToken(
    _ homeAccountID: String, _ environments: [String], where isWanted: (RefreshTokenRecord) -> Bool
  ) -> (key: String, record: RefreshTokenRecord)? {
    let candidates = records(.refreshToken, ofAccount: homeAccountID, as: RefreshTokenRecord.self)
      .filter { $0.record.isUsable && isWanted($0.record) }
    for environment in environments {
      let environment = CacheKey.normal(environment)
      if let found = candidates.first(where: { CacheKey.normal($0.record.environment) == environment }) { return found }
    }
    return nil
  }
}
