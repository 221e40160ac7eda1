import Synchronization

/// The locks that timed out in this process. The process does not wait for these locks again, because a run writes many
/// times and each write would take the full timeout. A lock is removed from the list when a later attempt finds it
/// free.
enum LostLocks {
  private static let paths = Mutex<Set<String>>([])

  static func contains(_ path: String) -> Bool { paths.withLock { $0.contains(path) } }
  static func insert(_ path: String) { paths.withLock { _ = $0.insert(path) } }
  static func remove(_ path: String) { paths.withLock { _ = $0.remove(path) } }
}
