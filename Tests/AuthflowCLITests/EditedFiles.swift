import Effects
import SimulatedWorld
import Synchronization

/// A file system that applies an edit when a command reads the watched file for the second time.
final class EditedFiles: FileSystem {
  private let base: MemoryFileSystem
  private let watched: String
  private let edit: @Sendable () -> Void
  private let reads = Mutex(0)

  init(base: MemoryFileSystem, watched: String, edit: @escaping @Sendable () -> Void) {
    self.base = base
    self.watched = watched
    self.edit = edit
  }

  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let bytes = try base.read(path, limit: limit)
    guard path.hasSuffix(watched) else { return bytes }
    let count = reads.withLock { count in
      count += 1
      return count
    }
    if count == 2 { edit() }
    return bytes
  }

  func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure) {
    try base.readPieces(of: path, body)
  }
  func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    try base.prefix(of: path, count: count)
  }
  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) {
    try base.replace(path, with: bytes, privately: privately)
  }
  func appender(to path: String) throws(FileFailure) -> any FileAppender { try base.appender(to: path) }
  func kind(of path: String) -> FileKind? { base.kind(of: path) }
  func isLink(_ path: String) -> Bool { base.isLink(path) }
  func realPath(of path: String) -> String? { base.realPath(of: path) }
  func list(_ directory: String) throws(FileFailure) -> [String] { try base.list(directory) }
  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) {
    try base.makeDirectory(path, privately: privately)
  }
  func access(ofDirectory path: String) -> DirectoryAccess? { base.access(ofDirectory: path) }
  func remove(_ path: String) throws(FileFailure) { try base.remove(path) }
  func removeAbandonedParts(of path: String) { base.removeAbandonedParts(of: path) }
  func removeEntry(_ path: String) throws(FileFailure) { try base.removeEntry(path) }
  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result { try base.locked(path, body) }
  func revision(of path: String) throws(FileFailure) -> BlobRevision { try base.revision(of: path) }
  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    try base.readState(path, limit: limit)
  }
  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    try base.replaceShared(path, with: bytes)
  }
  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try base.holdingLockFile(path, body)
  }
  func moveAside(_ path: String) throws(FileFailure) -> String { try base.moveAside(path) }
}
