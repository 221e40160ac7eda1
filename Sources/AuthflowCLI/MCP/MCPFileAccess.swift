import Documents
import Effects

/// The folder that an MCP server can read. Paths outside it, and files with credentials, are rejected.
struct MCPFolder: Sendable {
  /// The absolute path without symbolic links.
  let path: String
  private let files: any FileSystem

  init(path: String, files: any FileSystem) {
    self.path = path
    self.files = files
  }

  enum Refusal: Sendable, Hashable {
    case outside
    /// A symbolic link to a file outside the folder.
    case link
    case credentials
  }

  /// Returns the reason the server must not read a path, or nil if the path is allowed.
  func refusal(of path: String) -> Refusal? {
    let absolute = FilePath.join(self.path, path)
    guard contains(absolute) || contains(realPath(of: absolute)) else { return .outside }
    let real = realPath(of: absolute)
    guard contains(real) else { return .link }
    return Self.mayHoldCredentials(absolute) || Self.mayHoldCredentials(real) ? .credentials : nil
  }

  private func contains(_ absolute: String) -> Bool {
    path == "/" || absolute == path || absolute.hasPrefix(path + "/")
  }

  /// Returns the real path of a file. If the file does not exist, resolves its nearest existing folder.
  private func realPath(of path: String) -> String {
    var existing = path
    var missing: [String] = []
    while true {
      if let real = files.realPath(of: existing) {
        return missing.isEmpty ? real : FilePath.join(real, missing.reversed().joined(separator: "/"))
      }
      guard existing != "/", !existing.isEmpty else { return path }
      missing.append(FilePath.name(of: existing))
      existing = FilePath.folder(of: existing)
    }
  }

  /// The names are compared in lowercase, because file systems can be case-insensitive.
  private static let versionControlFolders: Set<String> = [".git", ".hg", ".svn", ".jj", ".bzr"]

  private static func mayHoldCredentials(_ path: String) -> Bool {
    let parts = path.lowercased().split(separator: "/")
    return parts.contains { versionControlFolders.contains(String($0)) || $0.hasPrefix(".env") }
  }
}

/// A read-only file system that contains only the files in a folder.
///
/// Tools check their arguments first to report clear errors. This file system also restricts access to files that other
/// files refer to.
final class MCPFileAccess: FileSystem {
  private let base: any FileSystem
  private let folder: MCPFolder

  init(_ base: any FileSystem, in folder: MCPFolder) {
    self.base = base
    self.folder = folder
  }

  private func check(_ path: String) throws(FileFailure) {
    switch folder.refusal(of: path) {
    case nil: return
    case .outside, .link: throw .other(path, reason: "outside the folder that the server can read")
    case .credentials: throw .other(path, reason: "can contain credentials, so the server does not read it")
    }
  }

  private func isReadable(_ path: String) -> Bool { folder.refusal(of: path) == nil }

  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    try check(path)
    return try base.read(path, limit: limit)
  }

  func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    try check(path)
    return try base.prefix(of: path, count: count)
  }

  func kind(of path: String) -> FileKind? { isReadable(path) ? base.kind(of: path) : nil }

  func isLink(_ path: String) -> Bool { base.isLink(path) }

  /// Also resolves paths that cannot be read, so that errors can mention the target of a link.
  func realPath(of path: String) -> String? { base.realPath(of: path) }

  func list(_ directory: String) throws(FileFailure) -> [String] {
    try check(directory)
    return try base.list(directory)
  }

  func access(ofDirectory path: String) -> DirectoryAccess? { isReadable(path) ? base.access(ofDirectory: path) : nil }

  func revision(of path: String) throws(FileFailure) -> BlobRevision {
    try check(path)
    return try base.revision(of: path)
  }

  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    try check(path)
    return try base.readState(path, limit: limit)
  }

  // MARK: Writing

  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) { throw .notPermitted(path) }

  func appender(to path: String) throws(FileFailure) -> any FileAppender { throw .notPermitted(path) }

  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) { throw .notPermitted(path) }

  func remove(_ path: String) throws(FileFailure) { throw .notPermitted(path) }

  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
    throw .notPermitted(path)
  }

  func moveAside(_ path: String) throws(FileFailure) -> String { throw .notPermitted(path) }

  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    throw FileFailure.notPermitted(path)
  }

  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    throw FileFailure.notPermitted(path)
  }
}
