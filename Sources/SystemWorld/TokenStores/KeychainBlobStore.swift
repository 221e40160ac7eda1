#if canImport(Security)
  import Effects
  import Foundation
  import Security

  /// A blob in the user's Keychain, with the signal file and lock of msal-extensions.
  package struct KeychainBlobStore: BlobStore {
    private let store: SignalFileStore

    /// - Parameter signal: The path of the file whose modification time signals changes. The absolute path identifies
    ///   the Keychain item.
    package init(signal: String, in files: any FileSystem, environment: Environment) throws(FileFailure) {
      let path = signal.hasPrefix("/") ? signal : environment.workingDirectory + "/" + signal
      let keychain = Keychain(account: path)
      // If the Keychain is not available, for example over SSH, only saving fails. The initializer therefore saves a
      // test value.
      if try keychain.load(.current) == nil {
        try keychain.save("trial", .trial)
        try keychain.clear(.trial)
      }
      store = SignalFileStore(keeper: keychain, files: files, signal: signal)
    }

    package var location: String { store.keeper.place }

    package func revision() throws(FileFailure) -> BlobRevision { try store.revision() }

    package func read() throws(FileFailure) -> StoredBlob { try store.read() }

    package func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
      try store.exclusively(body)
    }
  }

  private struct Keychain: SecretBackend {
    let place = "the Keychain"
    let account: String

    func load(_ name: SecretName) throws(FileFailure) -> String? {
      var query = self.query(name)
      query[kSecReturnData as String] = true
      query[kSecMatchLimit as String] = kSecMatchLimitOne
      var found: CFTypeRef?
      let status = SecItemCopyMatching(query as CFDictionary, &found)
      if status == errSecItemNotFound { return nil }
      try check(status)
      guard let data = found as? Data else { return nil }
      return String(decoding: data, as: UTF8.self)
    }

    func save(_ text: String, _ name: SecretName) throws(FileFailure) {
      let value: [String: Any] = [kSecValueData as String: Data(text.utf8)]
      let status = SecItemUpdate(query(name) as CFDictionary, value as CFDictionary)
      guard status == errSecItemNotFound else { return try check(status) }
      try check(SecItemAdd(query(name).merging(value) { $1 } as CFDictionary, nil))
    }

    func clear(_ name: SecretName) throws(FileFailure) {
      let status = SecItemDelete(query(name) as CFDictionary)
      if status != errSecItemNotFound { try check(status) }
    }

    private func query(_ name: SecretName) -> [String: Any] {
      [
        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "authflow.TokenCache \(name.text)",
        kSecAttrAccount as String: account,
      ]
    }

    private func check(_ status: OSStatus) throws(FileFailure) {
      guard status != errSecSuccess else { return }
      let message = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "error \(status)"
      throw .other(place, reason: message)
    }
  }
#endif
