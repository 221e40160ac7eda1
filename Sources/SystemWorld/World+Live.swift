import Effects

extension World {
  /// Returns the environment with the system's clock, files, and terminal.
  /// - Parameters:
  ///   - http: The transport, which is the emulator in this process or, for the live service, `HTTPClientTransport`.
  ///   - clock: The system clock with an offset.
  ///   - streams: The pipes and devices that the command line specifies as input.
  package static func live(
    http: any HTTPTransport, clock: LiveClock = LiveClock(), environment: Environment = .ofProcess(),
    streams: Set<String> = []
  ) -> World {
    World(
      clock: clock, randomness: SystemRandomness(), http: http, files: LiveFileSystem(streams: streams),
      environment: environment, console: TerminalConsole(), programs: SystemPrograms())
  }
}
