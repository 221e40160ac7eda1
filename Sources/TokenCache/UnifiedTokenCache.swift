import Effects
import Synchronization

/// A token cache in a byte store that other processes can also write to.
///
/// Caches the parsed contents until the revision of the store changes. Applies every change to the current bytes while
/// it holds the store's lock, so that concurrent processes do not lose changes.
package final class UnifiedTokenCache: Sendable {
  private struct Parsed: Sendable {
    var revision: BlobRevision
    var contents: CacheContents
  }

  private static let changeLimit = 1_024

  private let store: any BlobStore
  private let parsed = Mutex<Parsed?>(nil)

  package init(store: any BlobStore) {
    self.store = store
  }

  /// The store's location, for messages.
  package var location: String { store.location }

  /// Returns the current contents. Reads the store only if its revision has changed.
  /// - Throws: `.corrupt` if the bytes are not a token cache. The bytes remain unchanged.
  package func contents() throws(TokenCacheFailure) -> CacheContents {
    let blob: StoredBlob
    do throws(FileFailure) {
      if let contents = try cachedContents(at: store.revision()) { return contents }
      blob = try store.read()
    } catch {
      throw .store(error)
    }
    // If the file is empty or corrupt, another program may be writing it in place, as msal-extensions for Python does.
    // Read the file again while holding the lock, which waits for that program.
    if blob.bytes?.isEmpty != true, let contents = try? CacheContents(bytes: blob.bytes ?? []) {
      cache(contents, blob.revision)
      return contents
    }
    do throws(TokenCacheFailure) {
      return try exclusively { blob throws(TokenCacheFailure) in try current(blob) }
    } catch {
      // Without permission to lock the file, use the bytes from the first read.
      guard case .store = error else { throw error }
      return try CacheContents(bytes: blob.bytes ?? [])
    }
  }

  /// Changes the contents atomically. Writes the store only if the contents change.
  /// - Returns: The result of `change`, and the changes.
  /// - Throws: `TokenCacheFailure`, or the error that `change` throws. If `change` throws an error, its changes are
  ///   discarded.
  @discardableResult
  package func update<Result>(
    _ change: (inout CacheContents) throws -> Result
  ) throws -> (result: Result, changes: [CacheChange]) {
    do {
      return try store.exclusively { blob in
        var contents = try current(blob)
        contents.clearChanges()
        let result = try change(&contents)
        let changes = contents.changes
        if !changes.isEmpty {
          contents.clearChanges()
          let bytes = contents.bytes
          let revision = try blob.replace(with: bytes)
          // After many changes, parsing the new text costs less than keeping the old text with its changes.
          if contents.changeCount > Self.changeLimit { contents = try CacheContents(bytes: bytes) }
          cache(contents, revision)
        }
        return (result, changes)
      }
    } catch let failure as FileFailure {
      throw TokenCacheFailure.store(failure)
    }
  }

  /// Moves the stored file aside if it is not a valid token cache. Afterward, the cache is empty.
  /// - Returns: The moved file, or nil if the cache is valid.
  package func quarantineIfCorrupt() throws(TokenCacheFailure) -> QuarantinedFile? {
    try exclusively { blob throws(TokenCacheFailure) in
      do throws(TokenCacheFailure) {
        _ = try current(blob)
        return nil
      } catch {
        guard case .corrupt(let reason) = error else { throw error }
        do throws(FileFailure) {
          return QuarantinedFile(from: location, to: try blob.moveAside(), reason: reason)
        } catch {
          throw .store(error)
        }
      }
    }
  }

  private func current(_ blob: any LockedBlob) throws(TokenCacheFailure) -> CacheContents {
    do throws(FileFailure) {
      if let contents = try cachedContents(at: blob.revision()) { return contents }
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
    cache(contents, stored.revision)
    return contents
  }

  private func cachedContents(at revision: BlobRevision) -> CacheContents? {
    parsed.withLock { $0.flatMap { revision.provesUnchanged(since: $0.revision) ? $0.contents : nil } }
  }

  private func cache(_ contents: CacheContents, _ revision: BlobRevision) {
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
      throw .store(.other(location, reason: "\(error)"))
    }
  }
}

/// A file that was moved aside because it is not a valid token cache.
package struct QuarantinedFile: Hashable, Sendable {
  package var from: String
  package var to: String
  /// The reason why the file is not a token cache.
  package var reason: String

  package var explanation: String { "moved \(from) to \(to), because it is not a valid token cache: \(reason)" }
}

/// A token cache error.
package enum TokenCacheFailure: Error, Hashable, Sendable {
  /// The bytes are not a token cache. The store remains unchanged.
  case corrupt(reason: String)
  case store(FileFailure)

  package var explanation: String {
    switch self {
    case .corrupt(let reason): "cannot read the token cache: \(reason)"
    case .store(let failure): "cannot access the token cache: \(failure.explanation)"
    }
  }
}
