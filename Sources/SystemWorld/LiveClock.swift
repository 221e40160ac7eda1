import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system clock with an offset. In a run outside a scenario, `wait` advances the offset instead of sleeping.
package final class LiveClock: WorldClock {
  private let state: Mutex<Duration>

  /// - Parameter offset: The difference from the system clock.
  package init(offset: Duration = .zero) {
    state = Mutex(offset)
  }

  package var offset: Duration { state.withLock { $0 } }

  package var now: Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(secondsSince1970: Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)) + offset
  }

  package func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: duration)
  }

  /// Advances the offset.
  package func advance(by duration: Duration) {
    state.withLock { $0 += max(duration, .zero) }
  }
}
