#if os(Linux)
  import Effects

  /// A blob in the desktop keyring, with the signal file and lock of msal-extensions.
  package struct KeyringBlobStore: BlobStore {
    private let store: SignalFileStore

    /// Opens the keyring.
    /// - Parameters:
    ///   - signal: The file whose modification time signals changes. Its absolute path identifies the keyring item.
    ///   - timeout: The timeout for a response, in seconds.
    /// - Throws: `.other` with the reason if no keyring responds or the keyring stays locked. Throws immediately if
    /// there is no session bus, because this initializer never starts one.
    package init(
      signal: String, in files: any FileSystem, environment: Environment, timeout: Int = 30
    ) throws(FileFailure) {
      let place = "the keyring"
      guard Self.hasSessionBus(environment, files) else {
        throw .other(place, reason: "there is no D-Bus session bus")
      }
      guard let library = LibSecret.shared else {
        throw .other(place, reason: LibSecret.absence)
      }
      let path = signal.hasPrefix("/") ? signal : environment.workingDirectory + "/" + signal
      let service = SecretService(
        library: library, schema: "authflow.TokenCache",
        attributes: [("application", "authflow"), ("location", path)], label: "authflow: tokens of \(path)",
        timeout: timeout)
      // Only a request shows whether a keyring responds, and only a write shows whether it is unlocked. A locked keyring reports
      // that it contains nothing.
      if try service.load(.current) == nil {
        do {
          try service.save("trial", .trial)
          try service.clear(.trial)
        } catch {
          throw .other(place, reason: "it rejects writes and may be locked (\(error.explanation))")
        }
      }
      store = SignalFileStore(keeper: service, files: files, signal: signal)
    }

    private static func hasSessionBus(_ environment: Environment, _ files: any FileSystem) -> Bool {
      if let address = environment["DBUS_SESSION_BUS_ADDRESS"] {
        return !address.isEmpty && !address.hasPrefix("autolaunch:")
      }
      guard let folder = environment["XDG_RUNTIME_DIR"], !folder.isEmpty else { return false }
      return files.kind(of: folder + "/bus") != nil
    }

    package var location: String { store.keeper.place }

    package func revision() throws(FileFailure) -> BlobRevision { try store.revision() }

    package func read() throws(FileFailure) -> StoredBlob { try store.read() }

    package func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
      try store.exclusively(body)
    }
  }
#endif
