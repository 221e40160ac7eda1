import Documents
import Effects

/// The files in a folder, with the unsaved text of open documents. Paths are relative to the folder. The file system is
/// read-only.
struct WorkspaceFileSystem: FileSystem {
  let base: any FileSystem
  /// The absolute path of the folder.
  let folder: String
  /// The text of open documents, by absolute path.
  let open: [String: [UInt8]]

  private func absolute(_ path: String) -> String { FilePath.join(folder, path) }

  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    let path = absolute(path)
    guard let bytes = open[path] else { return try base.read(path, limit: limit) }
    guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
    return bytes
  }

  func readPieces(of path: String, _ body: ([UInt8]) -> Bool) throws(FileFailure) {
    let path = absolute(path)
    guard let bytes = open[path] else { return try base.readPieces(of: path, body) }
    if !bytes.isEmpty { _ = body(bytes) }
  }

  func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    let path = absolute(path)
    guard let bytes = open[path] else { return try base.prefix(of: path, count: count) }
    return Array(bytes.prefix(count))
  }

  func kind(of path: String) -> FileKind? {
    let path = absolute(path)
    return open[path] == nil ? base.kind(of: path) : .file
  }

  func isLink(_ path: String) -> Bool { base.isLink(absolute(path)) }

  func realPath(of path: String) -> String? {
    let path = absolute(path)
    return base.realPath(of: path) ?? (open[path] == nil ? nil : path)
  }

  func list(_ directory: String) throws(FileFailure) -> [String] {
    let directory = absolute(directory)
    let names = try base.list(directory)
    let unsaved = open.keys.filter { FilePath.folder(of: $0) == directory }.map(FilePath.name)
    return Set(names).isSuperset(of: unsaved) ? names : Set(names + unsaved).sorted()
  }

  func access(ofDirectory path: String) -> DirectoryAccess? { base.access(ofDirectory: absolute(path)) }

  func revision(of path: String) throws(FileFailure) -> BlobRevision { try base.revision(of: absolute(path)) }

  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    try base.readState(absolute(path), limit: limit)
  }

  // MARK: Changes

  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) { throw .notPermitted(path) }

  func appender(to path: String) throws(FileFailure) -> any FileAppender { throw .notPermitted(path) }

  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) { throw .notPermitted(path) }

  func remove(_ path: String) throws(FileFailure) { throw .notPermitted(path) }

  func removeAbandonedParts(of path: String) {}

  func removeEntry(_ path: String) throws(FileFailure) { throw .notPermitted(path) }

  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    throw FileFailure.notPermitted(path)
  }

  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    throw .notPermitted(path)
  }

  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    throw FileFailure.notPermitted(path)
  }

  func moveAside(_ path: String) throws(FileFailure) -> String { throw .notPermitted(path) }
}
