import Effects

/// A blob in a secret store with a signal file, as in msal-extensions. The signal file is empty. Its modification time
/// shows that the secret has changed, and its lock file is the lock for the blob.
struct SignalFileStore: Sendable {
  let keeper: any SecretBackend
  let files: any FileSystem
  let signal: String

  func revision() throws(FileFailure) -> BlobRevision {
    let revision = try files.revision(of: signal)
    // A missing signal file does not prove that the blob is absent, because the secret can still exist.
    return revision.provesUnchanged(since: .absent) ? BlobRevision([], isSettled: false) : revision
  }

  func read() throws(FileFailure) -> StoredBlob {
    let revision = try revision()
    return StoredBlob(bytes: try load(.current), revision: revision)
  }

  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    if let slash = signal.lastIndex(of: "/"), slash != signal.startIndex {
      try files.makeDirectory(String(signal[..<slash]), privately: true)
    }
    return try files.holdingLockFile(signal + ".lockfile") { try body(Locked(store: self)) }
  }

  private func load(_ name: SecretName) throws(FileFailure) -> [UInt8]? {
    guard let text = try keeper.load(name) else { return nil }
    guard let bytes = SecretText.decode(text) else { throw .other(keeper.place, reason: "contains invalid base64") }
    return bytes
  }

  private struct Locked: LockedBlob {
    let store: SignalFileStore

    /// Returns a revision that always counts as changed. A process that was killed after saving the secret may not have
    /// updated the signal file.
    func revision() throws(FileFailure) -> BlobRevision { BlobRevision([-1], isSettled: false) }

    func read() throws(FileFailure) -> StoredBlob { try store.read() }

    func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
      try store.keeper.save(SecretText.encode(bytes), .current)
      return try store.files.replaceShared(store.signal, with: [])
    }

    func remove() throws(FileFailure) {
      try store.keeper.clear(.current)
      _ = try store.files.replaceShared(store.signal, with: [])
    }

    func moveAside() throws(FileFailure) -> String {
      guard let text = try store.keeper.load(.current) else { throw .notFound(store.keeper.place) }
      var number = 1
      while try store.keeper.load(.corrupt(number)) != nil { number += 1 }
      try store.keeper.save(text, .corrupt(number))
      try remove()
      return "\(store.keeper.place), item \(SecretName.corrupt(number).text)"
    }
  }
}
