import Effects
import Synchronization

/// The clock of a plain run on the embedded platform: the real one plus an offset that waiting advances.
///
/// Ninety days cost nothing, and the next run goes on from there: the offset is kept beside the cache.
final class OffsetClock: WorldClock {
  private let base: any WorldClock
  private let state: Mutex<Duration>
  private let hasBeenSet = Mutex(false)

  init(_ base: any WorldClock, offset: Duration) {
    self.base = base
    self.state = Mutex(offset)
  }

  var offset: Duration { state.withLock { $0 } }

  var now: Instant { base.now + offset }

  /// Whether somebody put the clock right, rather than let time pass.
  var wasSet: Bool { hasBeenSet.withLock { $0 } }

  /// Sets the clock, also to an instant in the past.
  func set(to instant: Instant) {
    state.withLock { $0 = instant - base.now }
    hasBeenSet.withLock { $0 = true }
  }

  func sleep(for duration: Duration) async throws {
    // Others who work meanwhile get a turn: a loop that waits again and again must not outrun the user it waits for.
    let pause = min(max(duration, .zero), .milliseconds(20))
    try await base.sleep(for: pause)
    state.withLock { $0 += max(duration, .zero) - pause }
  }
}
