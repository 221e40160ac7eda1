import Effects

/// A blob in a file of its own, readable by the owner only and replaced as a whole.
///
/// A lock file beside it (`<path>.lock`) keeps processes from coming between reading and writing.
package struct FileBlobStore: BlobStore {
  private let files: any FileSystem
  private let path: String

  /// No token cache comes near this size; a larger file is something else.
  private static let limit = 64 << 20

  /// - Parameter path: where the blob is kept; directories above are made, privately, when something is first stored.
  package init(_ path: String, in files: any FileSystem) {
    self.path = path
    self.files = files
  }

  package func load() throws(FileFailure) -> [UInt8]? {
    do {
      return try files.read(path, limit: Self.limit)
    } catch {
      if case .notFound = error { return nil }
      throw error
    }
  }

  package func update<Result>(_ change: (inout [UInt8]?) throws -> Result) throws -> Result {
    if let slash = path.lastIndex(of: "/"), slash != path.startIndex {
      try files.makeDirectory(String(path[..<slash]), privately: true)
    }
    return try files.locked(path + ".lock") {
      let before = try load()
      var after = before
      let result = try change(&after)
      if let after {
        if after != before { try files.replace(path, with: after, privately: true) }
      } else if before != nil {
        try files.remove(path)
      }
      return result
    }
  }
}
