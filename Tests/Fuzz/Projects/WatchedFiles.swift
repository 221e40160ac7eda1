import Documents
import Effects
import FuzzSupport
import SimulatedWorld

/// The project's files. A run must not change them or read other files. A run writes to its own overlay.
struct WatchedFiles: FileSystem {
  /// The folder of the project.
  static let project = "/app"

  let base: MemoryFileSystem

  private func refuse(_ path: String) -> FileFailure {
    Oracles.require(false, "a run in isolation writes to \(path)")
    return .notPermitted(path)
  }

  private func checkRead(_ path: String) {
    let place = FilePath.join(Self.project, path)
    Oracles.require(place.hasPrefix("\(Self.project)/"), "a run reads \(path), which is outside the project")
  }

  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8] {
    checkRead(path)
    return try base.read(path, limit: limit)
  }
  func prefix(of path: String, count: Int) throws(FileFailure) -> [UInt8] {
    checkRead(path)
    return try base.prefix(of: path, count: count)
  }
  func realPath(of path: String) -> String? { base.realPath(of: path) }
  func kind(of path: String) -> FileKind? { base.kind(of: path) }
  func isLink(_ path: String) -> Bool { base.isLink(path) }
  func list(_ directory: String) throws(FileFailure) -> [String] { try base.list(directory) }
  func revision(of path: String) throws(FileFailure) -> BlobRevision { try base.revision(of: path) }
  func readState(_ path: String, limit: Int) throws(FileFailure) -> StoredBlob {
    try base.readState(path, limit: limit)
  }

  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure) { throw refuse(path) }
  func appender(to path: String) throws(FileFailure) -> any FileAppender { throw refuse(path) }
  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure) { throw refuse(path) }
  func remove(_ path: String) throws(FileFailure) { throw refuse(path) }
  func replaceShared(_ path: String, with bytes: [UInt8]) throws(FileFailure) -> BlobRevision { throw refuse(path) }
  func moveAside(_ path: String) throws(FileFailure) -> String { throw refuse(path) }
  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result { throw refuse(path) }
  func holdingLockFile<Result>(_ path: String, _ body: () throws -> Result) throws -> Result { throw refuse(path) }
}
