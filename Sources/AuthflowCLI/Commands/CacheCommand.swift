import ArgumentParser

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Show, import, export, or clear the token cache",
    discussion: """
      The cache uses MSAL's unified schema: the JSON format that MSAL for Python, .NET, Go, and Java share.

      Examples:
        authflow cache show
        authflow cache clear --account megan@contoso.com
      """,
    subcommands: [CacheShowCommand.self, CacheImportCommand.self, CacheExportCommand.self, CacheClearCommand.self])
}
