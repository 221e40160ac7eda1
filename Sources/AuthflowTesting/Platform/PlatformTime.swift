import Effects
import SimulatedWorld
import SystemWorld

/// The clock of a platform, and the executor of its work.
enum PlatformTime: Sendable {
  case virtual(Simulation)
  case system(LiveClock)

  var clock: any WorldClock {
    switch self {
    case .virtual(let simulation): simulation.clock
    case .system(let clock): clock
    }
  }

  /// An environment with this clock and a transport.
  func world(http: any HTTPTransport) -> World {
    switch self {
    case .virtual(let simulation):
      var world = simulation.world
      world.http = http
      return world
    case .system(let clock): return .live(http: http, clock: clock)
    }
  }

  /// Runs work of the platform or its clients. With a virtual clock, work is serial, and time advances while all of it waits.
  /// Canceling the caller cancels the work.
  func run<Outcome: Sendable>(_ body: @escaping @Sendable () async -> Outcome) async -> Outcome {
    guard case .virtual(let simulation) = self else { return await body() }
    let task = Task(executorPreference: simulation.executor) { await body() }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  func advance(by duration: Duration) {
    switch self {
    case .virtual(let simulation): simulation.clock.advance(by: duration)
    case .system(let clock): clock.advance(by: duration)
    }
  }
}
