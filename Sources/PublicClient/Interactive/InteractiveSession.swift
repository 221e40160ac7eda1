import Synchronization

/// Lets one sign-in page be open at a time.
final class InteractiveSession: Sendable {
  private let isOpen = Mutex(false)

  /// - Returns: false where a page is open already.
  func begin() -> Bool {
    isOpen.withLock { isOpen in
      defer { isOpen = true }
      return !isOpen
    }
  }

  func end() { isOpen.withLock { $0 = false } }
}
