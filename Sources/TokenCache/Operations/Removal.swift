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

  /// Wipes the whole token cache (MSAL's `wipeCacheForAllAccounts`): every token, account and app metadata of every client
  /// goes, also those that are not understood.
  ///
  /// What clients know of their accounts is no token: it stays, and says of each account that it is signed out, as after
  /// any sign-out. Were it gone, or did it say "signed in", an account that another app brings back would show up in
  /// this one as well. Parts of the file that are none of the sections are other programs' and stay as they are.
  package mutating func removeEverything() {
    for section in Self.credentials + [.account, .appMetadata] {
      for key in keys(section) { remove(key, from: section) }
    }
    for key in metadataKeys {
      changeClientMetadata(key) { client in
        guard let old = client.take() else { return false }
        var record = AccountMetadataRecord(old)
        for account in record.homeAccountIDs { record.setSignInState(.signedOut, of: account) }
        client = record.client
        return record.isChanged
      }
    }
  }
}
