import SystemWorld

/// The operating system functions that `--watch` requires. Without them, watch mode compares file revisions at
/// intervals and does not read keys.
package struct WatchSystem: Sendable {
  /// A watcher that reports possible changes in the watched folders until it is released.
  package protocol FolderWatcher: Sendable {
    /// Watches these folders instead of the previous folders.
    func watch(_ directories: Set<String>)
  }

  /// A closure that makes the terminal deliver each key as soon as the user presses it. Returns whether standard input
  /// is a terminal.
  var beginKeys: @Sendable () -> Bool
  /// A closure that restores the previous terminal mode.
  var endKeys: @Sendable () -> Void
  /// A closure that creates a watcher, which calls `onChange` after each change. Returns nil if the system does not
  /// support watchers.
  var openWatcher: @Sendable (_ onChange: @escaping @Sendable () -> Void) -> (any FolderWatcher)?

  package init(
    beginKeys: @escaping @Sendable () -> Bool, endKeys: @escaping @Sendable () -> Void,
    openWatcher: @escaping @Sendable (_ onChange: @escaping @Sendable () -> Void) -> (any FolderWatcher)?
  ) {
    self.beginKeys = beginKeys
    self.endKeys = endKeys
    self.openWatcher = openWatcher
  }

  static let none = WatchSystem(beginKeys: { false }, endKeys: {}, openWatcher: { _ in nil })

  static let live = WatchSystem(
    beginKeys: { TerminalKeys.begin() }, endKeys: { TerminalKeys.end() },
    openWatcher: { DirectoryWatcher(onChange: $0) })
}

extension DirectoryWatcher: WatchSystem.FolderWatcher {}
