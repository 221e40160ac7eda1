import Effects

/// A simulated environment for scenarios and tests, together with the clock, executor, files, console, and programs
/// that it is made from.
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
  ///   - seed: The name that seeds the randomness, such as the name of the scenario.
  ///   - http: The transport, which refuses all connections by default.
  ///   - programs: The outputs of other programs. By default, no programs are available.
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

  /// Runs `body` on the scenario's executor. Awaited work is serial, and time advances while all tasks wait.
  ///
  /// The work runs on the calling thread, because switching threads reduces the throughput of concurrent scenarios by a
  /// quarter. The work continues on another thread after a long run or after a wait for work outside the executor. If
  /// the caller is canceled, `body` is canceled too.
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
  /// Returns only the environment of a new ``Simulation``.
  package static func simulated(
    start: Instant = Simulation.start, seed: String = "authflow", http: any HTTPTransport = StubTransport.unreachable(),
    files: MemoryFileSystem = MemoryFileSystem(), console: BufferedConsole = BufferedConsole(),
    environment: [String: String] = [:]
  ) -> World {
    Simulation(start: start, seed: seed, http: http, files: files, console: console, environment: environment).world
  }
}
