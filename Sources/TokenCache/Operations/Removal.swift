import Documents
import OrderedCollections

extension CacheContents {
  private static let credentials: [CacheSectionName] = [.accessToken, .refreshToken, .idToken]

  /// Removes an account's tokens: those of one client, or of all with nil. Account records and metadata stay.
  package mutating func removeCredentials(ofAccount homeAccountID: String, clientID: String?) {
    let client = clientID.map { CacheKey.normal($0) }
    for section in Self.credentials {
      // The field is the same in all three; a record of any of them reads it.
      for (key, record) in records(section, ofAccount: homeAccountID, as: IDTokenRecord.self)
      where client == nil || CacheKey.normal(record.clientID) == client {
        remove(key, from: section)
      }
    }
  }

  /// Removes the records that say that there is such an account.
  package mutating func removeAccountRecords(_ homeAccountID: String) {
    for (key, _) in records(.account, ofAccount: homeAccountID, as: AccountRecord.self) { remove(key, from: .account) }
  }

  /// Removes every token and account of every client. What is known of apps, and parts that are not understood, stay.
  package mutating func removeEverything() {
    for section in Self.credentials + [.account] {
      for key in keys(section) { remove(key, from: section) }
    }
  }
}
