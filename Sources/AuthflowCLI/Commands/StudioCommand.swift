import ArgumentParser
import Documents
import Effects
import LiveWorld
import Studio
import Synchronization
import SystemWorld

struct StudioCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio", abstract: "Show, run, and compose a folder's workflows in a browser",
    discussion: """
      The command serves a page on this computer that shows the folder's workflows, their findings and state machines, \
      and replays of their runs. You can add and reorder the events of a scenario, and save them as a new scenario. \
      Workflows run on the emulator, and the page does not require a network connection.

      With `--attach`, the page also shows an emulator that is running on this computer: the requests of other programs as \
      they arrive, its decisions, faults, and sign-ins. Without `--attach`, you can start an emulator from the page.

      The link on standard output works once. The browser that opens it gets access; other browsers, other websites, and \
      other users of this computer do not. Ctrl-C stops the server with exit code 130. With `--exit-with-stdin`, it stops \
      with exit code 0 when standard input closes. The exit code is 3 if the port is in use, or if no emulator responds.

      Examples:
        authflow studio
        authflow studio Workflows --no-open
        authflow studio --attach http://localhost:8443
      """)

  @Argument(help: "Read the workflows in this folder") var folder = "."
  @Option(help: "Listen on this port; 0 selects a free port") var port = 0
  @Option(help: ArgumentHelp("Show the running emulator at this local address", valueName: "url"))
  var attach: String?
  @Flag(inversion: .prefixedNo, help: "Open the page in the browser") var open = true
  @Flag(name: .customLong("exit-with-stdin"), help: "Stop when standard input closes") var exitWithStdin = false
  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("`--port` must be between 0 and 65535") }
    if let attach, StudioEmulators.address(attach) == nil {
      throw ValidationError(
        "`--attach` requires the address of an emulator on this computer, such as `http://localhost:8443`")
    }
  }

  func perform(in session: Session) async throws(ExitStatus) {
    let session = try trust.apply(to: session)
    let world = session.world
    let path = FilePath.join(world.environment.workingDirectory, folder)
    guard world.files.kind(of: path) == .directory else {
      throw session.report(.usageError, "no folder `\(folder)`", help: "pass a folder with workflows")
    }
    let emulators = StudioEmulators(in: session)
    let attached = attach.flatMap { StudioEmulators.address($0) }
    if let attached { try await emulators.check(attached) }
    let handler = StudioHandler()
    let server: any RunningServer
    do {
      server = try await session.openServer(HTTPServer.Configuration(port: port)) { request, peer in
        await handler.respond(to: request, from: peer)
      }
    } catch {
      throw session.report(
        .environmentFailure, error.explanation, help: "use another `--port`, or `--port 0` for any free port")
    }
    let studioServer = StudioServer(
      folder: path, port: server.port, world: world, tool: "authflow \(Version.text)", emulator: attached,
      starter: { directory throws(EmulatorStartFailure) in try await emulators.start(directory) })
    handler.start(studioServer)
    let url = "http://127.0.0.1:\(server.port)\(studioServer.linkPath ?? "/")"
    session.printLine(url, as: .data)
    session.printStatus("note: the link works once; press Ctrl-C to stop")
    if open { await session.show(url, as: "the studio") }
    let lifetime = ServerLifetime(duration: nil, watchesInput: exitWithStdin, world: world)
    let termination = await lifetime.run { await ServerLifetime.cancellation() }
    await server.stop(grace: Duration.seconds(1))
    await emulators.stop()
    if termination == .interrupted, !InterruptHandler.isRequestToEnd { throw .interrupted }
  }
}

/// Passes requests to the studio, which is created when the server's port is known.
private final class StudioHandler: Sendable {
  private let studio = Mutex<StudioServer?>(nil)

  func start(_ server: StudioServer) { studio.withLock { $0 = server } }

  func respond(to request: RequestMessage, from peer: ServerPeer) async -> ServerOutcome {
    guard peer.isLoopback, let studio = studio.withLock({ $0 }) else { return .broken }
    return .response(await studio.respond(to: request))
  }
}
