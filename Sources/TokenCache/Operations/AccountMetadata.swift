import Documents

extension CacheContents {
  /// What an app knows of its accounts.
  package func accountMetadata(clientID: String) -> AccountMetadataRecord? {
    entry(.accountMetadata, CacheKey.accountMetadata(clientID: clientID))?.object.map {
      AccountMetadataRecord(fields: $0)
    }
  }

  /// Changes what an app knows of its accounts.
  package mutating func changeAccountMetadata(
    clientID: String, _ change: (inout AccountMetadataRecord) -> Void
  ) {
    let key = CacheKey.accountMetadata(clientID: clientID)
    var record = accountMetadata(clientID: clientID) ?? AccountMetadataRecord(clientID: clientID)
    change(&record)
    put(record, at: key, in: .accountMetadata)
  }

  /// Forgets an account in the metadata of every client: the account itself is gone.
  package mutating func forgetAccountMetadata(_ homeAccountID: String) {
    for (key, record) in records(.accountMetadata, as: AccountMetadataRecord.self) {
      guard record.homeAccountIDs.contains(CacheKey.normal(homeAccountID)) else { continue }
      var record = record
      record.forget(homeAccountID)
      put(record, at: key, in: .accountMetadata)
    }
  }
}
