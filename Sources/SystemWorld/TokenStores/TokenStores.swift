import Effects

/// Where a token cache can be kept beyond a run.
package enum TokenStoreKind: String, Sendable, Hashable, CaseIterable {
  /// A file that only its owner may read: the one of msal-extensions.
  case file
  /// The system's place for secrets: the desktop's keyring, the Keychain on macOS; the file where none answers.
  case keyring
}

/// Opens token stores.
package enum TokenStores {
  /// - Parameters:
  ///   - cacheFile: the file of the file store; the keyring's signal file is `<cacheFile>.keyring`.
  /// - Returns: the store, and what people should be told about it: that no keyring answers, for instance.
  package static func open(
    _ kind: TokenStoreKind, cacheFile: String, in files: any FileSystem, environment: Environment
  ) -> (store: any BlobStore, note: String?) {
    let file = FileBlobStore(cacheFile, in: files)
    guard kind == .keyring else { return (file, nil) }
    do {
      return (try keyring(signal: cacheFile + ".keyring", files, environment), nil)
    } catch {
      return (file, "no keyring answers (\(error.explanation)): tokens are kept in \(cacheFile)")
    }
  }

  private static func keyring(
    signal: String, _ files: any FileSystem, _ environment: Environment
  ) throws(FileFailure) -> any BlobStore {
    #if os(Linux)
      try KeyringBlobStore(signal: signal, in: files, environment: environment)
    #elseif canImport(Security)
      try KeychainBlobStore(signal: signal, in: files, environment: environment)
    #else
      throw .other("the keyring", reason: "this system has none")
    #endif
  }
}
