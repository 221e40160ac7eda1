import ArgumentParser

/// A command that runs in a session and ends with an exit status.
protocol SessionCommand: ParsableCommand {
  func perform(in session: Session) async throws(ExitStatus)
}

struct AuthflowCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "authflow",
      abstract: "Runs and checks sign-in workflows for the Microsoft identity platform.",
      discussion: """
        Without further words everything happens on the embedded platform: no tenant, no secrets, no network.

        Example: authflow run Workflows/me.yaml
        """,
      version: "authflow \(Version.full)",
      subcommands: [
        InitCommand.self, RunCommand.self, TestCommand.self, MergeCommand.self, ReportCommand.self, ExploreCommand.self,
        EmulatorCommand.self, ValidateCommand.self, SettingsCommand.self, GraphCommand.self,
        ConvertCommand.self,
        TokenCommand.self, APICommand.self, QueryCommand.self, SchemaCommand.self, ExplainCommand.self,
        LearnCommand.self,
        AccountsCommand.self,
        CacheCommand.self, DoctorCommand.self, ResetCommand.self,
      ])
  }
}
