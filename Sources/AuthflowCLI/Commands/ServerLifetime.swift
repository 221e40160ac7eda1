import Effects

/// Waiting for the end of something that serves: Ctrl-C, a set time, or the end of standard input.
struct ServerLifetime: Sendable {
  enum Ending: Sendable {
    case interrupted, timeOver, inputOver
  }

  /// Nil for any time.
  let life: Duration?
  let watchesInput: Bool
  let world: World

  /// Waits; `work` goes on meanwhile and is cancelled in the end.
  func run(_ work: @escaping @Sendable () async -> Void) async -> Ending {
    await withTaskGroup(of: Ending?.self) { group in
      group.addTask {
        await work()
        return nil
      }
      group.addTask { [life, world] in
        if let life { return (try? await world.clock.sleep(for: life)) == nil ? .interrupted : .timeOver }
        await Self.cancellation()
        return .interrupted
      }
      if watchesInput {
        group.addTask { [world] in
          while await world.console.readLine() != nil {}
          return Task.isCancelled ? .interrupted : .inputOver
        }
      }
      var ending = Ending.interrupted
      while let next = await group.next() {
        if let next {
          ending = next
          break
        }
      }
      group.cancelAll()
      return Task.isCancelled ? .interrupted : ending
    }
  }

  /// Returns when the task is cancelled.
  private static func cancellation() async {
    // A stream that nobody fills ends only with the task, whatever the clock says.
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}
