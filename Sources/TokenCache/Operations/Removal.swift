import Documents
import OrderedCollections

extension CacheContents {
  private static let credentials: [CacheSectionName] = [.accessToken, .refreshToken, .idToken]

  /// Removes an account's tokens for a client, or for all clients if `clientID` is nil. Keeps account records and
  /// metadata.
  package mutating func removeCredentials(ofAccount homeAccountID: String, clientID: String?) {
    let client = clientID.map { CacheKey.normalized($0) }
    for section in Self.credentials {
      // Entries in all three sections have a `client_id` field, so any record type can read it.
      for (key, record) in records(section, ofAccount: homeAccountID, as: IDTokenRecord.self)
      where client == nil || CacheKey.normalized(record.clientID) == client {
        remove(key, from: section)
      }
    }
  }

  /// Removes an account's records.
  package mutating func removeAccountRecords(_ homeAccountID: String) {
    for (key, _) in records(.account, ofAccount: homeAccountID, as: AccountRecord.self) { remove(key, from: .account) }
  }

  /// Removes the tokens, accounts, and app metadata of every client, including unknown entries (MSAL's
  /// `wipeCacheForAllAccounts`).
  ///
  /// Keeps account metadata but marks each account as signed out. Otherwise, if another app added an account again, the
  /// account would also appear in this app. Keeps unknown sections, because they belong to other programs.
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
