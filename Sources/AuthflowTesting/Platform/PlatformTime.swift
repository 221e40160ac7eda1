import Effects
import SimulatedWorld
import SystemWorld

/// The clock of an emulated platform, with what has to run by it.
enum PlatformTime: Sendable {
  case virtual(Simulation)
  case system(LiveClock)

  var clock: any WorldClock {
    switch self {
    case .virtual(let simulation): simulation.clock
    case .system(let clock): clock
    }
  }

  /// A world by this clock whose only machine is the one that answers `http`.
  func world(http: any HTTPTransport) -> World {
    switch self {
    case .virtual(let simulation):
      var world = simulation.world
      world.http = http
      return world
    case .system(let clock): return .live(http: http, clock: clock)
    }
  }

  /// Runs what belongs to the platform or its clients. On a virtual clock that is one thing at a time, and time jumps while
  /// all are waiting; canceling the caller cancels it.
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
