import Effects

/// A blob in a file that only the owner can read. Each write replaces the whole file.
///
/// The file and the lock file, `<path>.lockfile`, are compatible with Microsoft's msal-extensions.
package struct FileBlobStore: BlobStore {
  private let files: any FileSystem
  private let path: String

  /// The maximum size in bytes, which is ten times the size of a cache with 100,000 accounts. A larger file is not a
  /// token cache.
  package static let limit = 2 << 30 - 1

  /// - Parameter path: The path of the file. The first write creates missing parent directories with private
  ///   permissions.
  package init(_ path: String, in files: any FileSystem) {
    self.path = path
    self.files = files
  }

  package var location: String { path }

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
      // The store rejects data that it could not read back.
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
