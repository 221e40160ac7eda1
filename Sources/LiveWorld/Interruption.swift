import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What Ctrl-C does: the first asks the work to end in good order, the second ends the process.
package enum Interruption {
  /// Runs `body`; an interrupt (SIGINT) or a request to end (SIGTERM) cancels it.
  package static func cancelling<Outcome: Sendable>(
    _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome {
    let task = Task { try await body() }
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled { _exit(128 + number) }
        task.cancel()
      }
      source.activate()
      return source
    }
    defer {
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
