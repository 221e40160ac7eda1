import ArgumentParser

/// The token cache that plain runs keep, for people: to look at, to bring in, to take along, to empty.
struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache", abstract: "Shows, imports, exports or clears the kept token cache.",
    discussion: """
      The cache is MSAL's unified schema, the JSON that MSAL for Python, .NET, Go and Java share.

      Example: authflow cache show
      """,
    subcommands: [CacheShowCommand.self, CacheImportCommand.self, CacheExportCommand.self, CacheClearCommand.self])
}
