import Effects
import Synchronization

/// A blob in memory.
package final class MemoryBlobStore: BlobStore {
  private struct State {
    var blob: [UInt8]?
    var aside: [[UInt8]] = []
    var changes: Int64 = 0
  }

  private let state: Mutex<State>
  /// The blob's lock. It is separate from the state, so that code that holds the lock can read the store.
  private let lock = Mutex(())

  package init(_ bytes: [UInt8]? = nil) {
    state = Mutex(State(blob: bytes))
  }

  package var location: String { "memory" }

  /// The quarantined blobs, oldest first.
  package var movedAside: [[UInt8]] { state.withLock { $0.aside } }

  package func revision() throws(FileFailure) -> BlobRevision {
    state.withLock { Self.revision($0) }
  }

  package func read() throws(FileFailure) -> StoredBlob {
    state.withLock { StoredBlob(bytes: $0.blob, revision: Self.revision($0)) }
  }

  package func exclusively<Result>(_ body: (any LockedBlob) throws -> Result) throws -> Result {
    // The result is passed through an array, because `Result` is not Sendable and the lock cannot return it.
    var outcome: [Result] = []
    try lock.withLock { _ in outcome.append(try body(Locked(store: self))) }
    return outcome[0]
  }

  private static func revision(_ state: State) -> BlobRevision {
    BlobRevision([state.changes], isSettled: true)
  }

  private struct Locked: LockedBlob {
    let store: MemoryBlobStore

    func revision() throws(FileFailure) -> BlobRevision { try store.revision() }

    func read() throws(FileFailure) -> StoredBlob { try store.read() }

    func replace(with bytes: [UInt8]) throws(FileFailure) -> BlobRevision {
      store.state.withLock { state in
        state.blob = bytes
        state.changes += 1
        return MemoryBlobStore.revision(state)
      }
    }

    func remove() throws(FileFailure) {
      store.state.withLock { state in
        state.blob = nil
        state.changes += 1
      }
    }

    func moveAside() throws(FileFailure) -> String {
      let count = try store.state.withLock { state -> Swift.Result<Int, FileFailure> in
        guard let blob = state.blob else { return .failure(.notFound("memory")) }
        state.aside.append(blob)
        state.blob = nil
        state.changes += 1
        return .success(state.aside.count)
      }.get()
      return "memory.corrupt-\(count)"
    }
  }
}
