import Effects

/// A storage location for a token cache.
package enum TokenStoreKind: String, Sendable, Hashable, CaseIterable {
  /// A file that only the owner can read. The file is compatible with msal-extensions.
  case file
  /// The secret store of the system: the desktop keyring or, on macOS, the Keychain. If no secret store responds, the
  /// file store is used.
  case keyring
}

/// Opens token stores.
package enum TokenStores {
  /// - Parameters:
  ///   - cacheFile: The path of the file store. The signal file for the keyring is `<cacheFile>.keyring`.
  /// - Returns: The store and a note for the user, for example if no keyring responds.
  package static func open(
    _ kind: TokenStoreKind, cacheFile: String, in files: any FileSystem, environment: Environment
  ) -> (store: any BlobStore, note: String?) {
    let file = FileBlobStore(cacheFile, in: files)
    guard kind == .keyring else { return (file, nil) }
    do {
      return (try keyring(signal: cacheFile + ".keyring", files, environment), nil)
    } catch {
      return (file, "no keyring responds (\(error.explanation)): tokens are saved in \(cacheFile)")
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
      throw .other("the keyring", reason: "this system has no keyring")
    #endif
  }
}
