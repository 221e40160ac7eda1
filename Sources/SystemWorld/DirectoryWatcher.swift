import Dispatch
import Synchronization

#if canImport(Musl)
  import Musl
#elseif canImport(Glibc)
  import Glibc
#endif

/// Reports that files in directories may have changed. Uses inotify on Linux. Other systems have no watcher, so callers
/// must compare revisions at intervals.
package final class DirectoryWatcher: Sendable {
  #if os(Linux)
    private let descriptor: CInt
    private let source: Mutex<any DispatchSourceRead>
    /// The watch descriptors by directory.
    private let watches = Mutex<[String: CInt]>([:])

    /// The changes to report. Programs save a file by writing to it, or by renaming another file to replace it.
    private static let mask = UInt32(
      IN_CLOSE_WRITE | IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
  #endif

  /// - Parameter onChange: A closure that is called after each change, on any thread.
  /// - Returns: A watcher, or nil if the system does not support watchers or its watcher limit is reached.
  package init?(onChange: @escaping @Sendable () -> Void) {
    #if os(Linux)
      // `O_NONBLOCK` and `O_CLOEXEC` have the same values as `IN_NONBLOCK` and `IN_CLOEXEC`.
      let descriptor = inotify_init1(CInt(O_NONBLOCK | O_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .global())
      source.setEventHandler {
        var events = [UInt8](repeating: 0, count: 1 << 14)
        while read(descriptor, &events, events.count) > 0 {}
        onChange()
      }
      source.setCancelHandler { _ = close(descriptor) }
      source.activate()
      self.descriptor = descriptor
      self.source = Mutex(source)
    #else
      return nil
    #endif
  }

  /// Watches the given directories and stops watching all others. Directories that cannot be watched are skipped.
  package func watch(_ directories: Set<String>) {
    #if os(Linux)
      watches.withLock { watches in
        for (directory, number) in watches where !directories.contains(directory) {
          inotify_rm_watch(descriptor, number)
        }
        // An editor can replace a directory, so each directory is added again.
        watches = directories.reduce(into: [:]) { watches, directory in
          let number = inotify_add_watch(descriptor, directory, Self.mask)
          if number >= 0 { watches[directory] = number }
        }
      }
    #endif
  }

  deinit {
    #if os(Linux)
      source.withLock { $0.cancel() }
    #endif
  }
}
