import Documents
import RunTrace

extension CacheContents {
  /// Returns an account's ID token for a client and tenant.
  package func idToken(
    homeAccountID: String, environments: [String], clientID: String, realm: String
  ) -> (key: String, record: IDTokenRecord)? {
    let client = CacheKey.normalized(clientID)
    let usable = records(.idToken, ofAccount: homeAccountID, as: IDTokenRecord.self).filter {
      CacheKey.normalized($0.record.clientID) == client && $0.record.isUsable
    }
    let candidates = RealmMatch(realm, ofAccount: homeAccountID).best(of: usable) { $0.record.realm }
    for environment in environments {
      let environment = CacheKey.normalized(environment)
      if let match = candidates.first(where: { CacheKey.normalized($0.record.environment) == environment }) {
        return match
      }
    }
    return nil
  }

  /// Returns the account's record for a tenant.
  package func account(
    homeAccountID: String, environments: [String], realm: String
  ) -> (key: String, record: AccountRecord)? {
    let candidates = RealmMatch(realm, ofAccount: homeAccountID)
      .best(of: records(.account, ofAccount: homeAccountID, as: AccountRecord.self)) { $0.record.realm }
    for environment in environments {
      let environment = CacheKey.normalized(environment)
      if let match = candidates.first(where: { CacheKey.normalized($0.record.environment) == environment }) {
        return match
      }
    }
    return nil
  }
}
