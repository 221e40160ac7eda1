import Documents
import Effects
import OrderedCollections

/// An entry's place in the cache.
package struct TracedCacheKey: Hashable, Sendable {
  /// `AccessToken`, `RefreshToken`, `IdToken`, `Account`, `AppMetadata`, …
  package var section: String
  package var key: String
}

/// The token cache at one moment, as far as the trace tells, by the order in which entries came.
package struct TracedCache: Sendable, Equatable {
  package var entries: OrderedDictionary<TracedCacheKey, JSON> = [:]

  package init() {}

  mutating func apply(_ change: TracedCacheWrite.Change) {
    if change.kind == "deleted" { entries[change.key] = nil } else { entries[change.key] = change.entry }
  }
}

/// One write: the entries that it added, changed and deleted.
package struct TracedCacheWrite: Sendable {
  package struct Change: Sendable {
    /// `added`, `changed` or `deleted`.
    package var kind: String
    package var key: TracedCacheKey
    /// The entry as it is now, or was before it was deleted.
    package var entry: JSON
  }

  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var reason: String
  package var changes: [Change]
}

/// One look at the cache: which key was tried, and whether anything was there. Or what it held as a whole.
package struct TracedCacheRead: Sendable {
  package var seq: Int
  package var time: Instant
  package var step: Int?
  package var key: TracedCacheKey
  package var found: Bool
}
