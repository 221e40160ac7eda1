import Effects
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The system's clock, plus an offset: a plain run's `wait` moves its own time forward without waiting.
package final class LiveClock: WorldClock {
  private let state: Mutex<Duration>

  /// - Parameter offset: how far this clock is ahead of the system's.
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

  /// Lets time pass at once.
  package func advance(by duration: Duration) {
    state.withLock { $0 += max(duration, .zero) }
  }
}
