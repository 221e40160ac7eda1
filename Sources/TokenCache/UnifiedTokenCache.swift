import Effects
import Synchronization

/// The token cache over a store of bytes, which other processes may write too.
///
/// What was parsed is kept as long as the store's bytes stay the same; every change is made inside the store's `update`,
/// on the bytes as they are then, so that two processes never lose each other's writes.
package final class UnifiedTokenCache: Sendable {
  private struct Parsed: Sendable {
    var bytes: [UInt8]
    var contents: CacheContents
  }

  private let store: any BlobStore
  private let parsed = Mutex<Parsed?>(nil)

  package init(store: any BlobStore) {
    self.store = store
  }

  /// The contents as they are now.
  /// - Throws: `.corrupt` where the bytes are no cache; they stay where they are.
  package func contents() throws(TokenCacheFailure) -> CacheContents {
    let bytes: [UInt8]
    do {
      bytes = try store.load() ?? []
    } catch {
      throw .store(error)
    }
    return try parse(bytes)
  }

  /// Changes the contents as one step that no other process comes between.
  /// - Returns: what `change` returned, and what it changed; nothing is written where nothing changed.
  /// - Throws: `.corrupt` and `.store` as `TokenCacheFailure`; what `change` throws, in which case nothing is written.
  @discardableResult
  package func update<Result>(
    _ change: (inout CacheContents) throws -> Result
  ) throws -> (result: Result, changes: [CacheChange]) {
    do {
      return try store.update { bytes in
        var contents = try parse(bytes ?? [])
        contents.forgetChanges()
        let result = try change(&contents)
        let changes = contents.changes
        if !changes.isEmpty {
          contents.forgetChanges()
          let new = contents.bytes
          bytes = new
          let kept = Parsed(bytes: new, contents: contents)
          parsed.withLock { $0 = kept }
        }
        return (result, changes)
      }
    } catch let failure as FileFailure {
      throw TokenCacheFailure.store(failure)
    }
  }

  private func parse(_ bytes: [UInt8]) throws(TokenCacheFailure) -> CacheContents {
    if let known = parsed.withLock({ $0 }), known.bytes == bytes { return known.contents }
    let contents = try CacheContents(bytes: bytes)
    parsed.withLock { $0 = Parsed(bytes: bytes, contents: contents) }
    return contents
  }
}

/// Why the cache could not be read or written.
package enum TokenCacheFailure: Error, Hashable, Sendable {
  /// The bytes are no token cache. They were not touched.
  case corrupt(reason: String)
  case store(FileFailure)

  package var explanation: String {
    switch self {
    case .corrupt(let reason): "the token cache cannot be read: \(reason)"
    case .store(let failure): "the token cache's store failed: \(failure.explanation)"
    }
  }
}
