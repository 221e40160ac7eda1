import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What Ctrl-C does: the first asks the work to end in good order, a second one after `echo` ends the process. So does the first
/// where the work does not listen, because it waits for a file or for another process's lock.
package enum InterruptHandler {
  private final class State: Sendable {
    let hasEnded = Atomic(false)
    /// From when on a signal is a second one, in the nanoseconds of `DispatchTime`; 0 before the first.
    let endsAtOnce = Atomic(UInt64(0))
  }

  private static let asked = Atomic(CInt(0))

  /// The time within which another signal is the same wish once more: a terminal sends one to every process of its group, and a
  /// launcher (`timeout`, `npm`, `make`) passes its own on.
  private static let echo = DispatchTimeInterval.milliseconds(300)

  /// Whether the work was cancelled by a request to end (SIGTERM), as a service manager sends it, and not by Ctrl-C.
  package static var isRequestToEnd: Bool { asked.load(ordering: .relaxed) == SIGTERM }

  /// Runs `body`; an interrupt (SIGINT) or a request to end (SIGTERM) cancels it.
  /// - Parameter patience: the seconds that work in good order may take to end.
  package static func canceling<Outcome: Sendable>(
    patience: Double = 3,
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
          if DispatchTime.now().uptimeNanoseconds >= since { _exit(128 + number) }
          return
        }
        asked.store(number, ordering: .relaxed)
        task.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          if !state.hasEnded.load(ordering: .relaxed) { _exit(128 + number) }
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
}
