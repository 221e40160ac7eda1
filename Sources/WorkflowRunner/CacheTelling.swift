import AppRegistration
import Documents
import Effects
import OrderedCollections
import RunTrace
import TokenCache

extension StepPerformer {
  /// A cache above this size is told by its size alone.
  private static let mostEntriesTold = 500

  /// Tells what the apps' caches hold now, where that is not the sum of the writes that the trace tells: at the start of a
  /// run with a kept cache, and where a cache was replaced from outside.
  func tellCache(reason: String, evenIfEmpty: Bool = false) {
    guard trace.isHeard else { return }
    var told: Set<String> = []
    var entries: [TraceValue] = []
    var omitted = 0
    for app in apps.values where told.insert("\(type(of: app.store)) \(app.settings.keychainGroup)").inserted {
      // What is no cache holds nothing; the client says so when it comes to it.
      guard let bytes = try? app.store.load(), let contents = try? CacheContents(bytes: bytes) else { continue }
      let count = CacheSectionName.allCases.reduce(0) { $0 + contents.count($1) }
      if count > Self.mostEntriesTold { omitted += count } else { entries += CacheChange.held(in: contents) }
    }
    guard evenIfEmpty || !entries.isEmpty || omitted > 0 else { return }
    var members: OrderedDictionary<String, TraceValue> = ["reason": TraceValue(reason), "entries": .list(entries)]
    if omitted > 0 { members["omitted"] = TraceValue(omitted) }
    trace.record(.cacheRead, members)
  }
}
