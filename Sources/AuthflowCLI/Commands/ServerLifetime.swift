import Effects

/// The lifetime of a server. It ends after Ctrl-C, after a set time, or when standard input closes.
struct ServerLifetime: Sendable {
  enum Termination: Sendable {
    case interrupted, timeout, inputClosed
  }

  /// The time until the server stops, or nil for no limit.
  let duration: Duration?
  let watchesInput: Bool
  let world: World

  /// Performs `work` and cancels it when the lifetime ends.
  /// - Returns: The reason the lifetime ended.
  func run(_ work: @escaping @Sendable () async -> Void) async -> Termination {
    await withTaskGroup(of: Termination?.self) { group in
      group.addTask {
        await work()
        return nil
      }
      group.addTask { [duration, world] in
        if let duration { return (try? await world.clock.sleep(for: duration)) == nil ? .interrupted : .timeout }
        await Self.cancellation()
        return .interrupted
      }
      if watchesInput {
        group.addTask { [world] in
          while await world.console.readLine() != nil {}
          return Task.isCancelled ? .interrupted : .inputClosed
        }
      }
      var termination = Termination.interrupted
      while let next = await group.next() {
        if let next {
          termination = next
          break
        }
      }
      group.cancelAll()
      return Task.isCancelled ? .interrupted : termination
    }
  }

  /// Waits until the task is canceled.
  static func cancellation() async {
    // Wait for the stream to finish, because a wait on the clock would depend on virtual time.
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}
