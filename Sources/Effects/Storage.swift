/// Files, as far as authflow needs them. Paths are absolute, or relative to the environment's working directory.
///
/// Only regular files are read: a named pipe or a device can block forever. Streams that the command line names are the
/// one exception.
package protocol FileSystem: Sendable {
  /// - Throws: `FileFailure`, `.tooLarge` as soon as the file is seen to hold more than `limit` bytes.
  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]

  /// Reads a file that may be larger than memory should hold, piece by piece.
  /// - Parameter body: called with each piece, of any size above 0, in order; false ends the reading.
  func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure)

  /// The first bytes of a file, at most `count`, however large it is.
  func beginning(of path: String, count: Int) throws(FileFailure) -> [UInt8]

  /// Replaces the file's content as a whole: a reader sees the old bytes or the new ones, never a part, and a full
  /// disk leaves the old ones in place.
  /// - Parameter privately: only the owner may read it (mode 0600), else the usual mode. A pipe or a device is written to
  ///   unless the file is private.
  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure)

  /// Opens a file to be written line by line, emptied first; each `append` is in the file when it returns.
  func appender(to path: String) throws(FileFailure) -> any FileAppender

  func kind(of path: String) -> FileKind?
  /// Whether the path itself is a symbolic link, wherever it leads.
  func isLink(_ path: String) -> Bool
  /// The absolute path of an existing file or folder without symbolic links, `.` and `..`; nil if it does not exist.
  func realPath(of path: String) -> String?
  /// The names in a directory, sorted.
  func list(_ directory: String) throws(FileFailure) -> [String]
  /// Makes the directory and those above it, readable only by the owner where `privately`.
  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure)
  /// Who owns the directory that the path leads to, and who can write to it; nil if there is none, or if the file system
  /// has no owners.
  func access(ofDirectory path: String) -> DirectoryAccess?
  /// Removes what the path leads to: the target of a link, because its content is meant.
  func remove(_ path: String) throws(FileFailure)
  /// Removes what processes that were killed left of a new version of the file, which can contain tokens. Replacing the
  /// file removes it too.
  func removeAbandonedParts(of path: String)
  /// Removes the path itself: a link, never its target. Directories are rejected.
  func removeEntry(_ path: String) throws(FileFailure)

  /// Runs `body` while no other process that asks for the same path runs its own.
  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result

  // MARK: Files that are shared with other programs

  /// The mark of the state that the file is in; `.absent` where there is none. It costs a look at the file's status, not
  /// at its content.
  func revision(of path: String) throws(FileFailure) -> BlobRevision

  /// What the file holds, with the mark of the state in which it was read; no bytes where there is no file.
  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob

  /// Replaces a private file as `replace` does, for readers that remember when they read it last and look again only
  /// where its time of change is later: that time is set so far ahead that whoever is reading just now looks again.
  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision

  /// Runs `body` while this process alone has the lock file: the file is there as long as somebody holds it, as the lock
  /// of Microsoft's msal-extensions is. What a process that died left behind is cleared away.
  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result

  /// Renames the file to `<path>.corrupt-1`, or the next number that is free.
  /// - Returns: the new path.
  func moveAside(_ path: String) throws(FileFailure) -> String
}

extension FileSystem {
  /// In one piece, where files are in memory anyway.
  package func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure) {
    let bytes = try read(path, limit: .max)
    if !bytes.isEmpty { _ = body(bytes) }
  }

  package func isLink(_ path: String) -> Bool { false }
  package func access(ofDirectory path: String) -> DirectoryAccess? { nil }
  package func removeEntry(_ path: String) throws(FileFailure) { try remove(path) }
  package func removeAbandonedParts(of path: String) {}
}

/// Who can add, replace, and remove files in a directory.
package struct DirectoryAccess: Hashable, Sendable {
  package enum Owner: Hashable, Sendable {
    /// The user of this process.
    case user
    /// The superuser, if this process runs as another user.
    case system
    case other
  }

  package var owner: Owner
  /// Whether its group or all users can write to it.
  package var isWritableByOthers: Bool
  /// Whether users can remove and rename only their own files in it, as in `/tmp`.
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

/// Why a file could not be read or written.
package enum FileFailure: Error, Hashable, Sendable {
  case notFound(String)
  case isDirectory(String)
  /// It is a device, a named pipe, a socket, or a link where none may be; `kind` names which.
  case notRegular(String, kind: String)
  case notPermitted(String)
  case tooLarge(String, limit: Int)
  case noSpace(String)
  case other(String, reason: String)

  package var explanation: String {
    switch self {
    case .notFound(let path): "\(path): no such file or directory"
    case .isDirectory(let path): "\(path): is a directory, a file is needed"
    case .notRegular(let path, let kind): "\(path): is not a regular file (\(kind))"
    case .notPermitted(let path): "\(path): permission denied"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit) bytes"
    case .noSpace(let path): "\(path): no space left on the device"
    case .other(let path, let reason): "\(path): \(reason)"
    }
  }
}

/// One stored blob, such as a token cache: the store sees bytes and never tokens.
package protocol BlobStore: Sendable {
  /// Where the blob is kept, in words for people: a path, or the name of a keyring's item.
  var place: String { get }

  /// The mark of the state that the blob is in now, whoever wrote it. It is cheap: nothing is read for it.
  func revision() throws(FileFailure) -> BlobRevision

  /// The bytes as they are now, with the mark of that state. Another program may just be writing them.
  func read() throws(FileFailure) -> StoredBlob

  /// Runs `body` with what it does to the blob as one step that no other process comes between.
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result
}

/// A blob while its lock is held; no use of it outlives the closure that it was given to.
package protocol LockedBlob {
  /// The mark of the present state; one that proves nothing where a process that died may have changed the blob unmarked.
  func revision() throws(FileFailure) -> BlobRevision
  func read() throws(FileFailure) -> StoredBlob
  /// Replaces the blob as a whole: whoever reads meanwhile sees the old bytes or the new ones.
  func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision
  /// Removing what is not there is no failure.
  func remove() throws(FileFailure)
  /// Puts the blob out of the way, to a place where nothing is yet, and leaves none.
  /// - Returns: that place, in words for people.
  func moveAside() throws(FileFailure) -> String
}

extension BlobStore {
  /// The bytes as they are now, whoever wrote them; nil where nothing is stored.
  package func load() throws(FileFailure) -> [UInt8]? { try read().bytes }

  /// Reads, changes and writes as one step that no other process comes between.
  ///
  /// Setting the bytes to nil removes the blob; leaving them equal writes nothing.
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

/// Stored bytes, and the mark of the state in which they were read.
package struct StoredBlob: Sendable {
  /// Nil where nothing is stored.
  package var bytes: [UInt8]?
  package var revision: BlobRevision

  package init(bytes: [UInt8]?, revision: BlobRevision) {
    self.bytes = bytes
    self.revision = revision
  }
}

/// The mark of one state of something stored.
package struct BlobRevision: Sendable {
  private let mark: [Int64]
  /// False where a change that came right after this mark was taken could have left the same mark: a file that is written
  /// twice within one tick of the system's clock.
  package let isSettled: Bool

  /// Nothing is stored.
  package static let absent = BlobRevision([], isSettled: true)

  /// - Parameter mark: numbers that are others in another state.
  package init(_ mark: [Int64], isSettled: Bool) {
    self.mark = mark
    self.isSettled = isSettled
  }

  /// Whether what was read in the earlier state is what is stored in this one.
  package func provesUnchanged(since earlier: BlobRevision) -> Bool {
    earlier.isSettled && mark == earlier.mark
  }

  /// Whether somebody has certainly written since the earlier state.
  package func provesChange(since earlier: BlobRevision) -> Bool { mark != earlier.mark }
}
