import Effects
import SimulatedWorld
import SystemWorld

/// The clock of a platform, and the executor that runs the platform's work.
enum PlatformTime: Sendable {
  case virtual(Simulation)
  case system(LiveClock)

  var clock: any WorldClock {
    switch self {
    case .virtual(let simulation): simulation.clock
    case .system(let clock): clock
    }
  }

  /// Returns an environment with this clock and the given transport.
  func world(http: any HTTPTransport) -> World {
    switch self {
    case .virtual(let simulation):
      var world = simulation.world
      world.http = http
      return world
    case .system(let clock): return .live(http: http, clock: clock)
    }
  }

  /// Runs work for the platform or its clients. With a virtual clock, all work runs serially, and time advances while
  /// all work is waiting. If the caller is canceled, the work is canceled too.
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
