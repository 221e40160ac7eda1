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

/// A store that may be read only.
struct ReadOnlyStore: BlobStore {
  let bytes: [UInt8]

  var place: String { "a store that may be read only" }

  func revision() throws(FileFailure) -> BlobRevision { BlobRevision([1], isSettled: true) }
  func read() throws(FileFailure) -> StoredBlob {
    StoredBlob(bytes: bytes, revision: BlobRevision([1], isSettled: true))
  }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.notPermitted("store")
  }
}
