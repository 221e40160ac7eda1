import Documents
import RunTrace

extension CacheContents {
  /// The ID token of an account in one tenant, for one client.
  package func idToken(
    homeAccountID: String, environments: [String], clientID: String, realm: String
  ) -> (key: String, record: IDTokenRecord)? {
    let client = CacheKey.normal(clientID)
    let realm = CacheKey.normal(realm)
    let candidates = records(.idToken, ofAccount: homeAccountID, as: IDTokenRecord.self).filter {
      CacheKey.normal($0.record.clientID) == client && CacheKey.normal($0.record.realm) == realm
        && !$0.record.secret.isEmpty
    }
    for environment in environments {
      let environment = CacheKey.normal(environment)
      if let found = candidates.first(where: { CacheKey.normal($0.record.environment) == environment }) { return found }
    }
    return nil
  }

  /// The account's record in one tenant.
  package func account(
    homeAccountID: String, environments: [String], realm: String
  ) -> (key: String, record: AccountRecord)? {
    let realm = CacheKey.normal(realm)
    let candidates = records(.account, ofAccount: homeAccountID, as: AccountRecord.self)
      .filter { CacheKey.normal($0.record.realm) == realm }
    for environment in environments {
      let environment = CacheKey.normal(environment)
      if let found = candidates.first(where: { CacheKey.normal($0.record.environment) == environment }) { return found }
    }
    return nil
  }
}
