import Effects

/// A blob in a file of its own, readable by the owner only and replaced as a whole.
///
/// It is the file of Microsoft's msal-extensions, and so is its lock: `<path>.lockfile`, there while somebody writes.
package struct FileBlobStore: BlobStore {
  private let files: any FileSystem
  private let path: String

  /// Ten times the cache of a hundred thousand accounts; a larger file is something else.
  package static let limit = 2 << 30 - 1

  /// - Parameter path: where the blob is kept; directories above are made, privately, when something is first stored.
  package init(_ path: String, in files: any FileSystem) {
    self.path = path
    self.files = files
  }

  package var place: String { path }

  package func revision() throws(FileFailure) -> BlobRevision { try files.revision(of: path) }

  package func read() throws(FileFailure) -> StoredBlob { try files.readState(path, limit: Self.limit) }

  package func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try files.makeDirectory(String(path[..<slash]), privately: true)
    }
    return try files.holdingLockFile(path + ".lockfile") { try body(Locked(files: files, path: path)) }
  }

  private struct Locked: LockedBlob {
    let files: any FileSystem
    let path: String

    func revision() throws(FileFailure) -> BlobRevision { try files.revision(of: path) }

    func read() throws(FileFailure) -> StoredBlob { try files.readState(path, limit: FileBlobStore.limit) }

    func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
      // What could not be read again must not be written.
      if bytes.count > FileBlobStore.limit { throw .tooLarge(path, limit: FileBlobStore.limit) }
      return try files.replaceShared(path, with: bytes)
    }

    func remove() throws(FileFailure) {
      do {
        try files.remove(path)
      } catch {
        if case .notFound = error { return }
        throw error
      }
    }

    func moveAside() throws(FileFailure) -> String { try files.moveAside(path) }
  }
}
