import Effects
import Synchronization

/// The token cache over a store of bytes, which other processes may write too.
///
/// What was parsed is kept as long as the store's revision stays the same; every change is made while the store's lock is
/// held, on the bytes as they are then, so that two processes never lose each other's writes.
package final class UnifiedTokenCache: Sendable {
  private struct Parsed: Sendable {
    var revision: BlobRevision
    var contents: CacheContents
  }

  private static let mostChanges = 1_024

  private let store: any BlobStore
  private let parsed = Mutex<Parsed?>(nil)

  package init(store: any BlobStore) {
    self.store = store
  }

  /// Where the cache is kept, in words for people.
  package var place: String { store.place }

  /// The contents as they are now; while nobody writes, without reading anything.
  /// - Throws: `.corrupt` where the bytes are no cache; they stay where they are.
  package func contents() throws(TokenCacheFailure) -> CacheContents {
    let blob: StoredBlob
    do throws(FileFailure) {
      if let known = try known(at: store.revision()) { return known }
      blob = try store.read()
    } catch {
      throw .store(error)
    }
    // Empty or no cache: another program may just be writing, in place as msal-extensions for Python does.
    if blob.bytes?.isEmpty != true, let contents = try? CacheContents(bytes: blob.bytes ?? []) {
      keep(contents, blob.revision)
      return contents
    }
    do throws(TokenCacheFailure) {
      return try exclusively { blob throws(TokenCacheFailure) in try current(blob) }
    } catch {
      // Where this program may not lock, it must do with what it read.
      guard case .store = error else { throw error }
      return try CacheContents(bytes: blob.bytes ?? [])
    }
  }

  /// Changes the contents as one step that no other process comes between.
  /// - Returns: what `change` returned, and what it changed; nothing is written where nothing changed.
  /// - Throws: `.corrupt` and `.store` as `TokenCacheFailure`; what `change` throws, in which case nothing is written.
  @discardableResult
  package func update<Result>(
    _ change: (inout CacheContents) throws -> Result
  ) throws -> (result: Result, changes: [CacheChange]) {
    do {
      return try store.exclusively { blob in
        var contents = try current(blob)
        contents.forgetChanges()
        let result = try change(&contents)
        let changes = contents.changes
        if !changes.isEmpty {
          contents.forgetChanges()
          let bytes = contents.bytes
          let revision = try blob.replace(with: bytes)
          // Many changes over an old text cost more than reading the new one.
          if contents.changeCount > Self.mostChanges { contents = try CacheContents(bytes: bytes) }
          keep(contents, revision)
        }
        return (result, changes)
      }
    } catch let failure as FileFailure {
      throw TokenCacheFailure.store(failure)
    }
  }

  /// Moves what is stored out of the way if it is no token cache, so that the cache is empty afterwards. A cache that can
  /// be read stays.
  /// - Returns: what was moved, and where to; nil where there was nothing to move.
  package func moveAsideIfCorrupt() throws(TokenCacheFailure) -> QuarantinedFile? {
    try exclusively { blob throws(TokenCacheFailure) in
      do throws(TokenCacheFailure) {
        _ = try current(blob)
        return nil
      } catch {
        guard case .corrupt(let reason) = error else { throw error }
        do throws(FileFailure) {
          return QuarantinedFile(from: place, to: try blob.moveAside(), reason: reason)
        } catch {
          throw .store(error)
        }
      }
    }
  }

  private func current(_ blob: any LockedBlob) throws(TokenCacheFailure) -> CacheContents {
    do throws(FileFailure) {
      if let known = try known(at: blob.revision()) { return known }
    } catch {
      throw .store(error)
    }
    let stored: StoredBlob
    do throws(FileFailure) {
      stored = try blob.read()
    } catch {
      throw .store(error)
    }
    let contents = try CacheContents(bytes: stored.bytes ?? [])
    keep(contents, stored.revision)
    return contents
  }

  private func known(at revision: BlobRevision) -> CacheContents? {
    parsed.withLock { $0.flatMap { revision.provesUnchanged(since: $0.revision) ? $0.contents : nil } }
  }

  private func keep(_ contents: CacheContents, _ revision: BlobRevision) {
    parsed.withLock { $0 = Parsed(revision: revision, contents: contents) }
  }

  private func exclusively<Result>(
    _ body: (any LockedBlob) throws(TokenCacheFailure) -> Result
  ) throws(TokenCacheFailure) -> Result {
    do {
      return try store.exclusively(body)
    } catch let failure as TokenCacheFailure {
      throw failure
    } catch let failure as FileFailure {
      throw .store(failure)
    } catch {
      throw .store(.other(place, reason: "\(error)"))
    }
  }
}

/// A stored blob that was no token cache and was put out of the way.
package struct QuarantinedFile: Hashable, Sendable {
  package var from: String
  package var to: String
  /// Why it is no token cache.
  package var reason: String

  package var explanation: String { "\(from) is no token cache (\(reason)); it was moved to \(to)" }
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
