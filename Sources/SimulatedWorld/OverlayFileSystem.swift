import Effects

/// A file system that reads files from another file system and keeps all changes in memory.
package final class OverlayFileSystem: FileSystem {
  private let base: any FileSystem
  private let written: MemoryFileSystem
  private let workingDirectory: String

  package init(over base: any FileSystem, workingDirectory: String) {
    self.base = base
    self.workingDirectory = workingDirectory
    written = MemoryFileSystem(workingDirectory: workingDirectory)
  }

  /// Returns the file system that contains the current version of a file.
  private func holder(of path: String) -> any FileSystem {
    written.kind(of: path) == .file ? written : base
  }

  package func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    try holder(of: path).read(path, limit: limit)
  }

  package func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    try holder(of: path).prefix(of: path, count: count)
  }

  package func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) {
    try makeFolder(of: path)
    try written.replace(path, with: bytes, privately: privately)
  }

  package func appender(to path: String) throws(FileFailure) -> any FileAppender {
    try makeFolder(of: path)
    return try written.appender(to: path)
  }

  /// Creates a folder in memory if it exists in the underlying file system.
  private func makeFolder(of path: String) throws(FileFailure) {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    guard !folder.isEmpty, written.kind(of: folder) == nil else { return }
    guard base.kind(of: folder) == .directory else { throw .notFound(folder) }
    try written.makeDirectory(folder, privately: false)
  }

  package func kind(of path: String) -> FileKind? { written.kind(of: path) ?? base.kind(of: path) }

  package func isLink(_ path: String) -> Bool { base.isLink(path) }

  package func realPath(of path: String) -> String? { base.realPath(of: path) ?? written.realPath(of: path) }

  package func access(ofDirectory path: String) -> DirectoryAccess? {
    base.access(ofDirectory: path) ?? written.access(ofDirectory: path)
  }

  package func list(_ directory: String) throws(FileFailure) -> [String] {
    let names = written.kind(of: directory) == .directory ? try written.list(directory) : []
    guard base.kind(of: directory) == .directory else { return names }
    return Set(names + (try base.list(directory))).sorted()
  }

  package func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) {
    try written.makeDirectory(path, privately: privately)
  }

  /// Removes a file that was written in memory. Other files cannot be removed.
  package func remove(_ path: String) throws(FileFailure) {
    guard written.kind(of: path) != nil || base.kind(of: path) == nil else { throw .notPermitted(path) }
    try written.remove(path)
  }

  package func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try written.locked(path, body)
  }

  package func revision(of path: String) throws(FileFailure) -> BlobRevision { try holder(of: path).revision(of: path) }

  package func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    try holder(of: path).readState(path, limit: limit)
  }

  package func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    try makeFolder(of: path)
    return try written.replaceShared(path, with: bytes)
  }

  package func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    try written.holdingLockFile(path, body)
  }

  package func moveAside(_ path: String) throws(FileFailure) -> String { try written.moveAside(path) }
}
