import Effects

/// A store that denies all access.
struct FailingStore: BlobStore {
  var location: String { "a store without access permission" }

  func revision() throws(FileFailure) -> BlobRevision { throw .notPermitted("store") }
  func read() throws(FileFailure) -> StoredBlob { throw .notPermitted("store") }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.notPermitted("store")
  }
}

/// A store that denies write access.
struct ReadOnlyStore: BlobStore {
  let bytes: [UInt8]

  var location: String { "a store without write permission" }

  func revision() throws(FileFailure) -> BlobRevision { BlobRevision([1], isSettled: true) }
  func read() throws(FileFailure) -> StoredBlob {
    StoredBlob(bytes: bytes, revision: BlobRevision([1], isSettled: true))
  }
  func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    throw FileFailure.notPermitted("store")
  }
}
