import Effects
import Synchronization

/// The clock of a run on the emulator: the system clock plus an offset. Each simulated wait increases the offset.
///
/// A wait of 90 days takes milliseconds. The offset is saved with the token cache, so that the next run continues at
/// the same virtual time.
final class OffsetClock: WorldClock {
  private let base: any WorldClock
  private let state: Mutex<(offset: Duration, wasSet: Bool)>

  init(_ base: any WorldClock, offset: Duration) {
    self.base = base
    state = Mutex((offset, false))
  }

  var offset: Duration { state.withLock { $0.offset } }

  var now: Instant { base.now + offset }

  /// Whether ``set(to:)`` has set the clock. Waits only advance the clock.
  var wasSet: Bool { state.withLock { $0.wasSet } }

  /// Sets the clock. The instant can be in the past.
  func set(to instant: Instant) {
    state.withLock { $0 = (instant - base.now, true) }
  }

  func sleep(for duration: Duration) async throws {
    // Pause briefly, so that a polling loop does not finish before the concurrent task that it is waiting for.
    let pause = min(max(duration, .zero), .milliseconds(20))
    try await base.sleep(for: pause)
    state.withLock { $0.offset += max(duration, .zero) - pause }
  }
}
