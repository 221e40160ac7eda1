import Effects
import Synchronization

/// A blob that lives as long as this object.
package final class MemoryBlobStore: BlobStore {
  private let blob: Mutex<[UInt8]?>

  package init(_ bytes: [UInt8]? = nil) {
    blob = Mutex(bytes)
  }

  package func load() throws(FileFailure) -> [UInt8]? {
    blob.withLock { $0 }
  }

  package func update<Result>(_ change: (inout [UInt8]?) throws -> Result) throws -> Result {
    // A box, because what leaves `withLock` must be free to cross isolation, and `Result` need not be.
    var outcome: [Result] = []
    try blob.withLock { blob in
      var bytes = blob
      outcome.append(try change(&bytes))
      blob = bytes
    }
    return outcome[0]
  }
}
