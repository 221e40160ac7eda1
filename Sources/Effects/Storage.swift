/// The file operations that authflow uses. Paths are absolute or relative to the environment's working directory.
///
/// Only regular files are read, because a named pipe or a device can block forever. Streams that the user specifies on
/// the command line are the exception.
package protocol FileSystem: Sendable {
  /// - Throws: `FileFailure`. The failure is `.tooLarge` as soon as more than `limit` bytes have been read.
  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]

  /// Reads a file in chunks, for files that are too large for memory.
  /// - Parameter body: A closure that receives each nonempty chunk in order. It returns false to stop.
  func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure)

  /// Returns the first `count` bytes of a file, or the whole file if it is shorter.
  func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8]

  /// Replaces the file atomically: a reader sees either the old or the new content. If the disk is full, the old
  /// content remains.
  /// - Parameter privately: Whether only the owner may read the file (mode 0600). A pipe or a device is written to only
  ///   if this is false.
  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure)

  /// Creates or truncates a file to write it line by line. When `append` returns, the data is in the file.
  func appender(to path: String) throws(FileFailure) -> any FileAppender

  func kind(of path: String) -> FileKind?
  /// Whether the path itself is a symbolic link, even if its target does not exist.
  func isLink(_ path: String) -> Bool
  /// Returns the absolute path with symbolic links, `.`, and `..` resolved, or nil if the file or folder does not
  /// exist.
  func realPath(of path: String) -> String?
  /// Returns the names in a directory, sorted.
  func list(_ directory: String) throws(FileFailure) -> [String]
  /// Creates the directory and its parents. If `privately` is true, only the owner can read them.
  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure)
  /// Returns the owner and write permissions of a directory, or nil if it does not exist or the file system does not
  /// support ownership.
  func access(ofDirectory path: String) -> DirectoryAccess?
  /// Removes a file. If the path is a symbolic link, removes the file that the link points to.
  func remove(_ path: String) throws(FileFailure)
  /// Removes temporary files for the path that were left by processes killed while writing. They can contain tokens.
  /// Replacing the file removes them too.
  func removeAbandonedParts(of path: String)
  /// Removes a file or a link, but not the target of the link. Throws for a directory.
  func removeEntry(_ path: String) throws(FileFailure)

  /// Runs `body` while holding the path's lock, which excludes other processes.
  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result

  // MARK: Files shared with other programs

  /// Returns the revision of the file, or `.absent` if it does not exist. Reads only the file's status, not its
  /// content.
  func revision(of path: String) throws(FileFailure) -> BlobRevision

  /// Returns the content of the file and the revision that was read, or no bytes if the file does not exist.
  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob

  /// Replaces a private file as `replace` does, for readers that compare modification times. The new modification time
  /// is far enough in the future that a process that is reading the file now will read it again.
  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision

  /// Runs `body` while holding the lock file. As in Microsoft's msal-extensions, the file exists while the
  /// lock is held. Lock files of processes that died are removed.
  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result

  /// Renames the file to `<path>.corrupt-1`, or the next unused number.
  /// - Returns: The new path.
  func moveAside(_ path: String) throws(FileFailure) -> String
}

extension FileSystem {
  /// Reads the file in one chunk, for file systems in memory.
  package func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure) {
    let bytes = try read(path, limit: .max)
    if !bytes.isEmpty { _ = body(bytes) }
  }

  package func isLink(_ path: String) -> Bool { false }
  package func access(ofDirectory path: String) -> DirectoryAccess? { nil }
  package func removeEntry(_ path: String) throws(FileFailure) { try remove(path) }
  package func removeAbandonedParts(of path: String) {}
}

/// The users who can add, replace, and remove files in a directory.
package struct DirectoryAccess: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    /// The user of this process.
    case user
    /// The superuser, if this process runs as another user.
    case system
    case other
  }

  package var owner: Owner
  /// Whether the directory's group or all users can write to it.
  package var isWritableByOthers: Bool
  /// Whether users can remove and rename only their own files in the directory, as in `/tmp`.
  package var isSticky: Bool

  package init(owner: Owner, isWritableByOthers: Bool = false, isSticky: Bool = false) {
    self.owner = owner
    self.isWritableByOthers = isWritableByOthers
    self.isSticky = isSticky
  }
}

package protocol FileAppender: Sendable {
  func append(_ bytes: [UInt8]) throws(FileFailure)
  func close()
}

package enum FileKind: Hashable, Sendable {
  case file, directory, other
}

/// The reason why a file could not be read or written.
package enum FileFailure: Error, Hashable, Sendable {
  case notFound(String)
  case isDirectory(String)
  /// The path is not a regular file. `kind` describes it: a device, a named pipe, a socket, or an unexpected link.
  case notRegular(String, kind: String)
  case notPermitted(String)
  case tooLarge(String, limit: Int)
  case noSpace(String)
  case other(String, reason: String)

  package var explanation: String {
    switch self {
    case .notFound(let path): "\(path): no such file or directory"
    case .isDirectory(let path): "\(path): is a directory, expected a file"
    case .notRegular(let path, let kind): "\(path): is not a regular file (\(kind))"
    case .notPermitted(let path): "\(path): permission denied"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit) bytes"
    case .noSpace(let path): "\(path): no space left on the device"
    case .other(let path, let reason): "\(path): \(reason)"
    }
  }
}

/// A stored file or keyring item, such as a token cache. The store does not interpret its bytes.
package protocol BlobStore: Sendable {
  /// The location to show to users: a path, or the name of the keyring item.
  var location: String { get }

  /// Returns the current revision. The call is fast because it does not read the content.
  func revision() throws(FileFailure) -> BlobRevision

  /// Returns the current content and its revision. Another program may be writing at the same time.
  func read() throws(FileFailure) -> StoredBlob

  /// Runs `body` while no other process can change the blob.
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result
}

/// A blob while its lock is held. It is valid only inside the closure.
package protocol LockedBlob {
  /// Returns the current revision. If a process died while writing, an equal revision does not prove that the content
  /// is unchanged.
  func revision() throws(FileFailure) -> BlobRevision
  func read() throws(FileFailure) -> StoredBlob
  /// Replaces the blob atomically: a concurrent reader sees either the old or the new bytes.
  func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision
  /// Removes the blob. Does nothing if the blob does not exist.
  func remove() throws(FileFailure)
  /// Moves the blob to an unused location.
  /// - Returns: The new location, for users.
  func moveAside() throws(FileFailure) -> String
}

extension BlobStore {
  /// Returns the current bytes, or nil if nothing is stored.
  package func load() throws(FileFailure) -> [UInt8]? { try read().bytes }

  /// Reads, changes, and writes the bytes while no other process can change them.
  ///
  /// If `change` sets the bytes to nil, the blob is removed. If the bytes do not change, nothing is written.
  package func update<Result>(_ change: (inout [UInt8]?) throws -> Result) throws -> Result {
    try exclusively { blob in
      let before = try blob.read().bytes
      var after = before
      let result = try change(&after)
      if let after {
        if after != before { _ = try blob.replace(with: after) }
      } else if before != nil {
        try blob.remove()
      }
      return result
    }
  }
}

/// Stored bytes and the revision that was read.
package struct StoredBlob: Sendable {
  /// Nil if nothing is stored.
  package var bytes: [UInt8]?
  package var revision: BlobRevision

  package init(bytes: [UInt8]?, revision: BlobRevision) {
    self.bytes = bytes
    self.revision = revision
  }
}

/// An identifier for one state of a stored blob, for detecting changes.
package struct BlobRevision: Sendable {
  private let mark: [Int64]
  /// Whether every later change results in a different revision. False if the file changed so recently that another
  /// write within the same tick of the system clock could result in the same revision.
  package let isSettled: Bool

  /// Nothing is stored.
  package static let absent = BlobRevision([], isSettled: true)

  /// - Parameter mark: Numbers that differ between states.
  package init(_ mark: [Int64], isSettled: Bool) {
    self.mark = mark
    self.isSettled = isSettled
  }

  /// Whether the content is certainly the same as in the earlier revision.
  package func provesUnchanged(since earlier: BlobRevision) -> Bool {
    earlier.isSettled && mark == earlier.mark
  }

  /// Whether the content certainly changed since the earlier revision.
  package func provesChange(since earlier: BlobRevision) -> Bool { mark != earlier.mark }
}
