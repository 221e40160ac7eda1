import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Handles Ctrl-C. The first signal cancels the work. A second signal after the interval `echo` ends the process
/// immediately. If the work ignores the cancellation, for example while it waits for a lock, the process ends after a
/// timeout.
package enum InterruptHandler {
  private final class State: Sendable {
    let hasEnded = Atomic(false)
    /// The time after which a signal counts as the second signal, in nanoseconds of `DispatchTime`. The value is 0
    /// before the first signal.
    let endsAtOnce = Atomic(UInt64(0))
  }

  private static let requestedSignal = Atomic(CInt(0))

  /// Signals within this interval count as one signal. A terminal signals every process in the process group, and
  /// launchers such as `timeout`, `npm`, and `make` also forward the signal.
  private static let echo = DispatchTimeInterval.milliseconds(300)

  /// Whether SIGTERM, which service managers send, canceled the work (not Ctrl-C).
  package static var isRequestToEnd: Bool { requestedSignal.load(ordering: .relaxed) == SIGTERM }

  /// Runs `body` and cancels it on SIGINT or SIGTERM.
  /// - Parameter timeout: The number of seconds that the work can take to finish after the cancellation.
  package static func canceling<Outcome: Sendable>(
    timeout: Double = 3,
    _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome {
    let task = Task { try await body() }
    let state = State()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        let secondFrom = (DispatchTime.now() + echo).uptimeNanoseconds
        let (isFirst, since) = state.endsAtOnce.compareExchange(expected: 0, desired: secondFrom, ordering: .relaxed)
        guard isFirst else {
          if DispatchTime.now().uptimeNanoseconds >= since { exit(after: number) }
          return
        }
        requestedSignal.store(number, ordering: .relaxed)
        task.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout) {
          if !state.hasEnded.load(ordering: .relaxed) { exit(after: number) }
        }
      }
      source.activate()
      return source
    }
    defer {
      state.hasEnded.store(true, ordering: .relaxed)
      for source in sources { source.cancel() }
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends the process without waiting for the work.
  private static func exit(after number: CInt) -> Never {
    TerminalKeys.end()
    _exit(128 + number)
  }
}
