#if os(Linux)
  import Effects

  /// A blob in the desktop's keyring, with msal-extensions' signal file and lock beside it.
  package struct KeyringBlobStore: BlobStore {
    private let store: SignalFileStore

    /// The keyring's store for that signal file.
    /// - Parameters:
    ///   - signal: a file that tells others of changes; its absolute path also names the keyring's item.
    ///   - patience: seconds for which an answer is waited for.
    /// - Throws: `.other` with the reason, where no keyring answers, or it stays locked: within a moment where there is no
    ///   session bus, which is never started for this.
    package init(
      signal: String, in files: any FileSystem, environment: Environment, patience: Int = 30
    ) throws(FileFailure) {
      let place = "the keyring"
      guard Self.hasSessionBus(environment, files) else {
        throw .other(place, reason: "there is no D-Bus session bus here")
      }
      guard let library = LibSecret.shared else {
        throw .other(place, reason: "libsecret is not installed (libsecret-1.so.0)")
      }
      let path = signal.hasPrefix("/") ? signal : environment.workingDirectory + "/" + signal
      let service = SecretService(
        library: library, schema: "authflow.TokenCache",
        attributes: [("application", "authflow"), ("location", path)], label: "authflow: tokens of \(path)",
        patience: patience)
      // Whether anybody answers shows only in asking, and whether he takes anything only in giving: a locked keyring says
      // that it has nothing.
      if try service.load(.current) == nil {
        do {
          try service.save("trial", .trial)
          try service.clear(.trial)
        } catch {
          throw .other(place, reason: "it takes nothing and may be locked (\(error.explanation))")
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

    package var place: String { store.keeper.place }

    package func revision() throws(FileFailure) -> BlobRevision { try store.revision() }

    package func read() throws(FileFailure) -> StoredBlob { try store.read() }

    package func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
      try store.exclusively(body)
    }
  }
#endif
