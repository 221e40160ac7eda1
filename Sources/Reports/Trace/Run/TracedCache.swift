import Documents
import Effects
import OrderedCollections

/// The key of a cache entry.
package struct TracedCacheKey: Hashable, Sendable {
  /// `AccessToken`, `RefreshToken`, `IdToken`, `Account`, `AppMetadata`, …
  package var section: String
  package var key: String
}

/// The token cache at a point in the trace, in the order of its writes.
package struct TracedCache: Sendable, Equatable {
  package var entries: OrderedDictionary<TracedCacheKey, JSON> = [:]

  package init() {}

  mutating func apply(_ change: TracedCacheWrite.Change) {
    if change.kind == "deleted" { entries[change.key] = nil } else { entries[change.key] = change.entry }
  }
}

/// A write, with the added, changed, and deleted entries.
package struct TracedCacheWrite: Sendable {
  package struct Change: Sendable {
    /// `added`, `changed`, or `deleted`.
    package var kind: String
    package var key: TracedCacheKey
    /// The entry after the write, or before its deletion.
    package var entry: JSON
  }

  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var reason: String
  package var changes: [Change]
}

/// A read of the cache: the key and whether an entry was found, or the complete content.
package struct TracedCacheRead: Sendable {
  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var key: TracedCacheKey
  package var found: Bool
}
