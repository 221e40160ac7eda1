import Effects

/// A simulated environment with access to its parts, for scenarios and tests.
///
/// ```swift
/// let simulation = Simulation(seed: "first run", http: emulator)
/// let outcome = try await simulation.run { try await signIn(in: simulation.world) }
/// ```
package struct Simulation: Sendable {
  /// The start time of scenarios: 2025-01-01T00:00:00Z.
  package static let start = Instant(secondsSince1970: 1_735_689_600)

  package let world: World
  package let clock: VirtualClock
  package let executor: SerialScenarioExecutor
  package let files: MemoryFileSystem
  package let console: BufferedConsole
  package let programs: StubProgramLauncher

  /// - Parameters:
  ///   - seed: The name for the randomness, such as the scenario's.
  ///   - http: The transport. By default it refuses connections.
  ///   - programs: The output of other programs. By default there are none.
  package init(
    start: Instant = Simulation.start, seed: String = "authflow", http: any HTTPTransport = StubTransport.unreachable(),
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

  /// Runs `body` on the scenario's executor: awaited work is serial, and time advances while all tasks wait.
  ///
  /// The work runs on the calling thread, because switching threads for concurrent scenarios costs a quarter of the throughput.
  /// Only a long run, and the rest after a wait for outside work, continues on another thread. Canceling the caller cancels
  /// the body.
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
  /// A simulated environment without access to its parts. See ``Simulation``.
  package static func simulated(
    start: Instant = Simulation.start, seed: String = "authflow", http: any HTTPTransport = StubTransport.unreachable(),
    files: MemoryFileSystem = MemoryFileSystem(), console: BufferedConsole = BufferedConsole(),
    environment: [String: String] = [:]
  ) -> World {
    Simulation(start: start, seed: seed, http: http, files: files, console: console, environment: environment).world
  }
}
