import Effects

/// One simulated world with its parts in reach, for scenarios and tests.
///
/// ```swift
/// let simulation = Simulation(seed: "first run", http: emulator)
/// let outcome = try await simulation.run { try await something(in: simulation.world) }
/// ```
package struct Simulation: Sendable {
  /// When scenarios begin: 2025-01-01T00:00:00Z.
  package static let start = Instant(secondsSince1970: 1_735_689_600)

  package let world: World
  package let clock: VirtualClock
  package let executor: SerialScenarioExecutor
  package let files: MemoryFileSystem
  package let console: BufferedConsole
  package let programs: StubProgramLauncher

  /// - Parameters:
  ///   - seed: the name that the randomness is seeded with, such as the scenario's.
  ///   - http: who answers requests; by default nobody does.
  ///   - programs: what other programs say; by default there are none to ask.
  package init(
    start: Instant = Simulation.start, seed: String = "authflow", http: any HTTPTransport = StubTransport.nobody(),
    programs: StubProgramLauncher = StubProgramLauncher(), files: MemoryFileSystem = MemoryFileSystem(),
    console: BufferedConsole = BufferedConsole(),
    environment: [String: String] = [:], workingDirectory: String = "/", grants: Grants = Grants()
  ) {
    executor = SerialScenarioExecutor(start: start)
    clock = VirtualClock(executor: executor)
    self.files = files
    self.console = console
    self.programs = programs
    world = World(
      clock: clock, randomness: SeededRandomness(seed: seed), http: http, files: files,
      environment: Environment(variables: environment, workingDirectory: workingDirectory, grants: grants),
      console: console,
      programs: programs)
  }

  /// Runs `body` on the scenario's executor: everything it awaits is serial, and time jumps while all are waiting.
  ///
  /// The calling thread does it. Whoever runs scenarios side by side has a thread for each already, and to hand one over to
  /// another thread and back lets the system put both on one core often enough to lose a quarter of the rate. Only a
  /// long run, and what is left after waiting for something outside, goes on elsewhere. Canceling the caller cancels the
  /// body.
  package func run<Outcome: Sendable>(
    _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome {
    let isOurs = executor.hold()
    let task = Task(executorPreference: executor) { try await body() }
    return try await withTaskCancellationHandler {
      if isOurs { executor.drainHere() }
      return try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}

extension World {
  /// A simulated world when its parts are not needed by themselves. See ``Simulation``.
  package static func simulated(
    start: Instant = Simulation.start, seed: String = "authflow", http: any HTTPTransport = StubTransport.nobody(),
    files: MemoryFileSystem = MemoryFileSystem(), console: BufferedConsole = BufferedConsole(),
    environment: [String: String] = [:]
  ) -> World {
    Simulation(start: start, seed: seed, http: http, files: files, console: console, environment: environment).world
  }
}
