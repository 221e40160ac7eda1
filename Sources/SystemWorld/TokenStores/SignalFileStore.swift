import Effects

/// A blob in a place for secrets, with a signal file beside it, as msal-extensions has it: the file holds nothing, its time
/// of change tells that the secret was changed, and its lock file is the blob's lock.
struct SignalFileStore: Sendable {
  let keeper: any SecretBackend
  let files: any FileSystem
  let signal: String

  func revision() throws(FileFailure) -> BlobRevision {
    let revision = try files.revision(of: signal)
    // Without a signal nothing is known: the secret may be there all the same.
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
    guard let bytes = SecretText.decode(text) else { throw .other(keeper.place, reason: "holds broken base64") }
    return bytes
  }

  private struct Locked: LockedBlob {
    let store: SignalFileStore

    /// Proves nothing: who was killed between saving the secret and giving the signal left a secret that is newer.
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
