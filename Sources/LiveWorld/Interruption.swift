import Dispatch
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What Ctrl-C does: the first asks the work to end in good order, the second ends the process. So does the first where the
/// work does not listen, because it waits for a file or for another process's lock.
package enum Interruption {
  private final class Ended: Sendable {
    let flag = Atomic(false)
  }

  private static let asked = Atomic(CInt(0))

  /// Whether the work was cancelled by a request to end (SIGTERM), as a service manager sends it, and not by Ctrl-C.
  package static var isRequestToEnd: Bool { asked.load(ordering: .relaxed) == SIGTERM }

  /// Runs `body`; an interrupt (SIGINT) or a request to end (SIGTERM) cancels it.
  /// - Parameter patience: the seconds that work in good order may take to end.
  package static func cancelling<Outcome: Sendable>(
    patience: Double = 3,
    _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome {
    let task = Task { try await body() }
    let hasEnded = Ended()
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { _exit(128 + number) }
        asked.store(number, ordering: .relaxed)
        task.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + patience) {
          if !hasEnded.flag.load(ordering: .relaxed) { _exit(128 + number) }
        }
      }
      source.activate()
      return source
    }
    defer {
      hasEnded.flag.store(true, ordering: .relaxed)
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
