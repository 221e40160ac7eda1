import Effects

extension World {
  /// The real environment: the system's clock, files, and terminal.
  /// - Parameters:
  ///   - http: The transport: the emulator in this process, or `HTTPClientTransport` for the live service.
  ///   - clock: The system clock, with the offset of a plain run.
  ///   - streams: Pipes and devices that the command line names as input.
  package static func live(
    http: any HTTPTransport, clock: LiveClock = LiveClock(), environment: Environment = .ofProcess(),
    streams: Set<String> = []
  ) -> World {
    World(
      clock: clock, randomness: SystemRandomness(), http: http, files: LiveFileSystem(streams: streams),
      environment: environment, console: TerminalConsole(), programs: SystemPrograms())
  }
}
