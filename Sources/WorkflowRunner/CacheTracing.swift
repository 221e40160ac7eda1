import AppRegistration
import Documents
import Effects
import OrderedCollections
import RunTrace
import TokenCache

extension StepPerformer {
  /// The maximum number of traced entries. For a larger cache, the trace contains only the number of entries.
  private static let maximumTracedEntries = 500

  /// Records the contents of the apps' caches at the start of a run with a saved cache and after a cache is replaced.
  /// In these cases, the recorded writes alone do not determine the contents.
  func traceCache(reason: String, evenIfEmpty: Bool = false) {
    guard trace.isHeard else { return }
    var tracedStores: Set<String> = []
    var entries: [TraceValue] = []
    var omitted = 0
    for app in apps.values where tracedStores.insert("\(type(of: app.store)) \(app.settings.keychainGroup)").inserted {
      // If the cache is unreadable, the client reports an error when it reads the cache.
      guard let bytes = try? app.store.load(), let contents = try? CacheContents(bytes: bytes) else { continue }
      let count = CacheSectionName.allCases.reduce(0) { $0 + contents.count($1) }
      if count > Self.maximumTracedEntries {
        omitted += count
      } else {
        entries += CacheChange.traceEntries(of: contents)
      }
    }
    guard evenIfEmpty || !entries.isEmpty || omitted > 0 else { return }
    var members: OrderedDictionary<String, TraceValue> = ["reason": TraceValue(reason), "entries": .list(entries)]
    if omitted > 0 { members["omitted"] = TraceValue(omitted) }
    trace.record(.cacheRead, members)
  }
}
