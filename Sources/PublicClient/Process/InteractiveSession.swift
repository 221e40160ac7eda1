import Synchronization

/// A lock that limits sign-in and sign-out pages to one at a time.
final class InteractiveSession: Sendable {
  private let isOpen = Mutex(false)

  /// Runs an operation. Until it finishes, no other page can open.
  /// - Throws: `interactiveSessionAlreadyRunning` if a page is already open.
  func only<Outcome>(_ operation: () async throws(MSALError) -> Outcome) async throws(MSALError) -> Outcome {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return isOpen
    }
    guard !wasOpen else {
      throw MSALError(.interactiveSessionAlreadyRunning, "a sign-in page is already open")
    }
    defer { isOpen.withLock { $0 = false } }
    return try await operation()
  }
}
