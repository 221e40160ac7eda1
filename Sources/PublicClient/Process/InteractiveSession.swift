import Synchronization

/// Lets one page be open at a time, for signing in or out.
final class InteractiveSession: Sendable {
  private let isOpen = Mutex(false)

  /// Does the work while the session is its own.
  /// - Throws: `interactiveSessionAlreadyRunning` where a page is open already.
  func only<Outcome>(_ work: () async throws(MSALError) -> Outcome) async throws(MSALError) -> Outcome {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = true }
      return isOpen
    }
    guard !wasOpen else {
      throw MSALError(.interactiveSessionAlreadyRunning, "a sign-in page is open already; there can be one at a time")
    }
    defer { isOpen.withLock { $0 = false } }
    return try await work()
  }
}
