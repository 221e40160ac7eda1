/// Files, as far as authflow needs them. Paths are absolute, or relative to the environment's working directory.
package protocol FileSystem: Sendable {
  /// - Throws: `FileFailure`, `.tooLarge` as soon as the file is seen to hold more than `limit` bytes.
  func read(_ path: String, limit: Int) throws(FileFailure) -> [UInt8]

  /// Replaces the file's content as a whole: a reader sees the old bytes or the new ones, never a part, and a full
  /// disk leaves the old ones in place.
  /// - Parameter privately: only the owner may read it (mode 0600), else the usual mode.
  func replace(_ path: String, with bytes: [UInt8], privately: Bool) throws(FileFailure)

  /// Opens a file to be written line by line, emptied first; each `append` is in the file when it returns.
  func appender(to path: String) throws(FileFailure) -> any FileAppender

  func kind(of path: String) -> FileKind?
  /// The names in a directory, sorted.
  func list(_ directory: String) throws(FileFailure) -> [String]
  /// Makes the directory and those above it, readable only by the owner where `privately`.
  func makeDirectory(_ path: String, privately: Bool) throws(FileFailure)
  func remove(_ path: String) throws(FileFailure)

  /// Runs `body` while no other process that asks for the same path runs its own.
  func locked<Result>(_ path: String, _ body: () throws -> Result) throws -> Result
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
  case notPermitted(String)
  case tooLarge(String, limit: Int)
  case noSpace(String)
  case other(String, reason: String)

  package var explanation: String {
    switch self {
    case .notFound(let path): "\(path): no such file or directory"
    case .isDirectory(let path): "\(path): is a directory, a file is needed"
    case .notPermitted(let path): "\(path): permission denied"
    case .tooLarge(let path, let limit): "\(path): larger than \(limit) bytes"
    case .noSpace(let path): "\(path): no space left on the device"
    case .other(let path, let reason): "\(path): \(reason)"
    }
  }
}

/// One stored blob, such as a token cache: the store sees bytes and never tokens.
package protocol BlobStore: Sendable {
  /// The bytes as they are now, whoever wrote them; nil where nothing is stored.
  func load() throws(FileFailure) -> [UInt8]?

  /// Reads, changes and writes as one step that no other process comes between.
  ///
  /// Setting the bytes to nil removes the blob; leaving them equal writes nothing.
  func update<Result>(_ change: (inout [UInt8]?) throws -> Result) throws -> Result
}
