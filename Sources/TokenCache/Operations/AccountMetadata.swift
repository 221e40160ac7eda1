extension CacheContents {
  /// What an app knows of its accounts.
  package func accountMetadata(clientID: String) -> AccountMetadataRecord? {
    clientMetadata(CacheKey.accountMetadata(clientID: clientID)).map { AccountMetadataRecord($0) }
  }

  /// Changes what an app knows of its accounts.
  package mutating func changeAccountMetadata(
    clientID: String, _ change: (inout AccountMetadataRecord) -> Void
  ) {
    changeClientMetadata(CacheKey.accountMetadata(clientID: clientID)) { client in
      var record = client.take().map { AccountMetadataRecord($0) } ?? AccountMetadataRecord(clientID: clientID)
      change(&record)
      client = record.client
      return record.isChanged
    }
  }

  /// Forgets an account in the metadata of every client: the account itself is gone.
  package mutating func removeAccountMetadata(_ homeAccountID: String) {
    for key in metadataKeys where clientMetadata(key)?.account(CacheKey.normal(homeAccountID)) != nil {
      changeClientMetadata(key) { client in
        guard let old = client.take() else { return false }
        var record = AccountMetadataRecord(old)
        record.forget(homeAccountID)
        client = record.client
        return record.isChanged
      }
    }
  }
}
