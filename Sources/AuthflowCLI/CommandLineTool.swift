import ArgumentParser
import Diagnostics
import Effects
import LiveWorld
import SystemWorld

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The way in: the process's arguments, its real world, and its exit code.
package enum CommandLineTool {
  /// - Parameter commit: the commit that the program was built from, for `--version`.
  package static func main(commit: String?) async {
    await Version.$commit.withValue(commit) { await main() }
  }

  private static func main() async {
    CrashDumpSuppression.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let world = World.live(
      http: HTTPClientTransport(environment: .ofProcess(), agent: "authflow/\(Version.text)"),
      streams: InputStreams.named(by: arguments))
    let status = try? await InterruptHandler.canceling {
      await run(arguments, in: world, openServer: listening)
    }
    if status == .success, let loss = world.console.loss {
      world.console.write("error: the output is not whole: \(loss)\n", to: .error)
      exit(ExitStatus.environmentFailure.rawValue)
    }
    exit((status ?? .interrupted).rawValue)
  }

  /// Runs one command line in any world.
  /// - Parameter openServer: how a server comes to listen; where nothing is said, none can.
  package static func run(
    _ arguments: [String], in world: World, openServer: ServerFactory? = nil
  ) async -> ExitStatus {
    // Every command writes through the guard, so none can forget to escape hostile text.
    let console = GuardedConsole(world.console, environment: world.environment)
    var world = world
    world.console = console
    let session = Session(world: world, openServer: openServer ?? nowhere, seal: console.seal)
    if let error = unknownCommand(in: arguments) {
      session.printStatus(error)
      return .usageError
    }
    do {
      var command = try AuthflowCommand.parseAsRoot(OptionalValueArguments.completed(arguments))
      guard let sessionCommand = command as? any SessionCommand else {
        try command.run()
        return .success
      }
      do throws(ExitStatus) {
        try await sessionCommand.perform(in: session)
        return .success
      } catch {
        return error
      }
    } catch {
      let message = AuthflowCommand.fullMessage(for: error)
      let isRequest = AuthflowCommand.exitCode(for: error) == ExitCode.success
      // Requested are help pages and completion scripts; errors repeat arguments.
      if !message.isEmpty {
        if isRequest { session.printLine(message + "\n", as: .data) } else { session.printStatus(message + "\n") }
      }
      return isRequest ? .success : .usageError
    }
  }

  /// The error for a word that is not a command, or nil if it is one. ArgumentParser suggests options only.
  private static func unknownCommand(in arguments: [String]) -> String? {
    var configuration = AuthflowCommand.configuration
    var path = "authflow"
    for argument in arguments {
      let commands = configuration.subcommands.map { $0.configuration }
      guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
      guard let next = commands.first(where: { $0.commandName == argument }) else {
        // The default subcommand takes the arguments.
        guard configuration.defaultSubcommand == nil else { return nil }
        let names = commands.filter(\.shouldDisplay).compactMap(\.commandName)
        let help =
          Suggestion.nearest(to: argument, among: names).map { "did you mean `\($0)`?" }
          ?? "run `\(path) --help` to list the commands"
        return "error: unknown command `\(CaretFrame.visible(String(argument.prefix(40))))`\n  help: \(help)"
      }
      configuration = next
      path += " \(argument)"
    }
    return nil
  }

  private static let listening: ServerFactory = { configuration, function throws(HTTPServer.ListenError) in
    try await HTTPServer.open(configuration, function: function)
  }

  private static let nowhere: ServerFactory = { _, _ throws(HTTPServer.ListenError) in
    throw HTTPServer.ListenError(explanation: "nobody can listen in this world")
  }
}
