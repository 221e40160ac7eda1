import Synchronization

/// The locks for which this process waited in vain. It does not wait for them again: a run writes many times, and each
/// write would take the whole patience. A lock that is free at a later attempt is no longer lost.
enum LostLocks {
  private static let paths = Mutex<Set<String>>([])

  static func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
  static func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }
}
