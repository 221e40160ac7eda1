extension CacheContents {
  /// Returns the account metadata of a client.
  package func accountMetadata(clientID: String) -> AccountMetadataRecord? {
    clientMetadata(CacheKey.accountMetadata(clientID: clientID)).map { AccountMetadataRecord($0) }
  }

  /// Changes the account metadata of a client. Creates the metadata if necessary.
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

  /// Removes an account from the metadata of every client, after the service has deleted the account.
  package mutating func removeAccountMetadata(_ homeAccountID: String) {
    for key in metadataKeys where clientMetadata(key)?.account(CacheKey.normalized(homeAccountID)) != nil {
      changeClientMetadata(key) { client in
        guard let old = client.take() else { return false }
        var record = AccountMetadataRecord(old)
        record.remove(homeAccountID)
        client = record.client
        return record.isChanged
      }
    }
  }
}
