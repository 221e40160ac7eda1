import Documents
import Effects
import OrderedCollections

/// The key of a cache entry.
package struct TracedCacheKey: Hashable, Sendable {
  /// The section of the cache, such as `AccessToken`, `RefreshToken`, `IdToken`, `Account`, or `AppMetadata`.
  package var section: String
  package var key: String
}

/// The contents of the token cache at one point in the trace. The entries are in the order in which the client wrote
/// them.
package struct TracedCache: Sendable, Equatable {
  package var entries: OrderedDictionary<TracedCacheKey, JSON> = [:]

  package init() {}

  mutating func apply(_ change: TracedCacheWrite.Change) {
    if change.kind == "deleted" { entries[change.key] = nil } else { entries[change.key] = change.entry }
  }
}

/// A write to the cache, with the added, changed, and deleted entries.
package struct TracedCacheWrite: Sendable {
  package struct Change: Sendable {
    /// The kind of change: `added`, `changed`, or `deleted`.
    package var kind: String
    package var key: TracedCacheKey
    /// The entry after the write. For a deleted entry, this is the entry before the deletion.
    package var entry: JSON
  }

  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var reason: String
  package var changes: [Change]
}

/// A read from the cache. It contains either the key and whether an entry was found, or the complete contents of the
/// cache.
package struct TracedCacheRead: Sendable {
  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var key: TracedCacheKey
  package var found: Bool
}
