import ArgumentParser

/// A command that runs in a session.
protocol SessionCommand: ParsableCommand {
  /// - Throws: The exit status if the command fails. The command has already reported the reason.
  func perform(in session: Session) async throws(ExitStatus)
}

/// The root command. `authflow help` shows its subcommands in these groups.
struct AuthflowCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "authflow",
      abstract: "Run and test sign-in workflows for the Microsoft identity platform",
      discussion: """
        By default, workflows run against a built-in emulator of Microsoft Entra ID and Microsoft Graph. You don't need a \
        tenant, an app registration, secrets, or a network connection.

        Examples:
          authflow run Workflows/me.yaml
          authflow test Workflows/me.yaml
        """,
      version: "authflow \(Version.full)",
      groupedSubcommands: [
        CommandGroup(
          name: "Get started", subcommands: [InitCommand.self, DoctorCommand.self, CompletionsCommand.self]),
        CommandGroup(
          name: "Run and test",
          subcommands: [
            RunCommand.self, TestCommand.self, MergeCommand.self, ReportCommand.self, ExploreCommand.self,
            GraphCommand.self, StudioCommand.self,
          ]),
        CommandGroup(name: "Validate", subcommands: [ValidateCommand.self, SettingsCommand.self]),
        CommandGroup(name: "Emulate", subcommands: [EmulatorCommand.self]),
        CommandGroup(
          name: "Tokens and cache",
          subcommands: [
            TokenCommand.self, APICommand.self, AccountsCommand.self, CacheCommand.self, ResetCommand.self,
          ]),
        CommandGroup(name: "Documents", subcommands: [ConvertCommand.self, QueryCommand.self, SchemaCommand.self]),
        CommandGroup(name: "Edit", subcommands: [LSPCommand.self, DAPCommand.self, MCPCommand.self]),
        CommandGroup(name: "Learn", subcommands: [LearnCommand.self, ExplainCommand.self, DiagnoseCommand.self]),
      ])
  }

  /// Replaces ArgumentParser's group headings, such as `RUN AND TEST SUBCOMMANDS:`, with the names of the groups.
  static func withGroupHeadings(_ help: String) -> String {
    configuration.groupedSubcommands.reduce(help) { help, group in
      help.replacing("\n\(group.name.uppercased()) SUBCOMMANDS:\n", with: "\n\(group.name)\n")
    }
  }
}
