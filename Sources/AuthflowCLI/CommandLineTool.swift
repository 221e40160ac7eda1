import ArgumentParser
import Diagnostics
import Effects
import LiveWorld
import SystemWorld

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The program's entry point.
package enum CommandLineTool {
  /// Runs this process's command line and exits with the command's status.
  /// - Parameter commit: The commit that the program was built from. `--version` prints the commit.
  package static func main(commit: String?) async {
    await Version.$commit.withValue(commit) { await main() }
  }

  private static func main() async {
    CrashDumpSuppression.prepare()
    let arguments = Array(CommandLine.arguments.dropFirst())
    let world = World.live(
      http: HTTPClientTransport(environment: .ofProcess(), agent: "authflow/\(Version.text)"),
      streams: InputStreams.named(by: arguments))
    if CommandLine.arguments.isEmpty {
      // Swift reads the arguments from /proc on Linux. Without them, the program would print its help and exit with 0.
      world.console.write("error: cannot read the command line: /proc is not mounted\n", to: .error)
      exit(ExitStatus.environmentFailure.rawValue)
    }
    let status = try? await InterruptHandler.canceling {
      await run(arguments, in: world, openServer: liveServer, watchSystem: .live)
    }
    if status == .success, let outputError = world.console.outputError {
      world.console.write("error: output is incomplete: \(outputError)\n", to: .error)
      exit(ExitStatus.environmentFailure.rawValue)
    }
    exit((status ?? .interrupted).rawValue)
  }

  /// Runs one command line in a live or simulated environment.
  /// - Parameters:
  ///   - openServer: A closure that opens a server. By default, commands cannot open servers.
  ///   - watchSystem: The functions for `--watch`. By default, watch mode does not read keys.
  package static func run(
    _ arguments: [String], in world: World, openServer: ServerFactory? = nil, watchSystem: WatchSystem? = nil
  ) async -> ExitStatus {
    // Every command writes through the guard, which escapes hostile text.
    let console = GuardedConsole(world.console, environment: world.environment)
    var world = world
    world.console = console
    let session = Session(
      world: world, openServer: openServer ?? noServer, watchSystem: watchSystem ?? .none, seal: console.seal)
    if let error = unknownCommand(in: arguments) {
      session.printStatus(error)
      return .usageError
    }
    do {
      var command = try parse(OptionalValueArguments.completed(arguments))
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
      let isHelpRequest = AuthflowCommand.exitCode(for: error) == ExitCode.success
      // Help pages and completion scripts are data. Errors repeat arguments, which can contain hostile text.
      if !message.isEmpty, isHelpRequest {
        session.printLine(AuthflowCommand.withGroupHeadings(message) + "\n", as: .data)
      } else if !message.isEmpty {
        session.printStatus(message + "\n")
      }
      return isHelpRequest ? .success : .usageError
    }
  }

  /// Returns the command that the arguments select.
  ///
  /// Parsing with one command's declarations is twice as fast as parsing with the entire command tree. Only help
  /// pages and errors require the entire tree.
  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    let type = AuthflowCommand.configuration.subcommands.first { $0.configuration.commandName == arguments.first }
    if let type, type.configuration.subcommands.isEmpty, let command = try? type.parse(Array(arguments.dropFirst())) {
      return command
    }
    return try AuthflowCommand.parseAsRoot(arguments)
  }

  /// Returns the error for an unknown command, or nil if all commands are known. This function suggests similar
  /// commands, because ArgumentParser suggests similar names only for options.
  private static func unknownCommand(in arguments: [String]) -> String? {
    var configuration = AuthflowCommand.configuration
    var path = "authflow"
    for argument in arguments {
      let commands = configuration.subcommands.map { $0.configuration }
      guard !commands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
      guard let next = commands.first(where: { $0.commandName == argument }) else {
        // The remaining arguments belong to the default subcommand.
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

  private static let liveServer: ServerFactory = { configuration, function throws(HTTPServer.ListenError) in
    try await HTTPServer.open(configuration, function: function)
  }

  private static let noServer: ServerFactory = { _, _ throws(HTTPServer.ListenError) in
    throw HTTPServer.ListenError(explanation: "this environment does not support servers")
  }
}
