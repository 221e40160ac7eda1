import Documents
import RunTrace

extension CacheContents {
  /// The ID token of an account in one tenant, for one client.
  package func idToken(
    homeAccountID: String, environments: [String], clientID: String, realm: String
  ) -> (key: String, record: IDTokenRecord)? {
    let client = CacheKey.normal(clientID)
    let usable = records(.idToken, ofAccount: homeAccountID, as: IDTokenRecord.self).filter {
      CacheKey.normal($0.record.clientID) == client && $0.record.isUsable
    }
    let candidates = RealmMatch(realm, ofAccount: homeAccountID).best(of: usable) { $0.record.realm }
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
    let candidates = RealmMatch(realm, ofAccount: homeAccountID)
      .best(of: records(.account, ofAccount: homeAccountID, as: AccountRecord.self)) { $0.record.realm }
    for environment in environments {
      let environment = CacheKey.normal(environment)
      if let found = candidates.first(where: { CacheKey.normal($0.record.environment) == environment }) { return found }
    }
    return nil
  }
}
