import Effects

extension World {
  /// The real world.
  /// - Parameters:
  ///   - http: how requests travel: the emulator in the process, or `HTTPClientTransport` for the real service.
  ///   - clock: the system's clock, with the offset that a plain run keeps.
  ///   - streams: paths of pipes and devices that the command line names as input.
  package static func live(
    http: any HTTPTransport, clock: LiveClock = LiveClock(), environment: Environment = .ofProcess(),
    streams: Set<String> = []
  ) -> World {
    World(
      clock: clock, randomness: SystemRandomness(), http: http, files: LiveFileSystem(streams: streams),
      environment: environment, console: TerminalConsole(), programs: SystemPrograms())
  }
}
