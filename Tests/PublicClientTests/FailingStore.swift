import Effects

/// A store that may not be used.
struct FailingStore: BlobStore {
  var place: String { "a store that may not be used" }

  func revision() throws(FileFailure) -> BlobRevision { throw .notPermitted("store") }
  func read() throws(FileFailure) -> StoredBlob { throw .notPermitted("store") }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.notPermitted("store")
  }
}
