import ArgumentParser
import Documents

/// Generates the reference pages of the commands from their declarations.
package enum CommandPages {
  /// An article for the documentation catalog.
  package struct Page: Sendable {
    /// The file name without the extension.
    package var name: String
    package var markdown: String
  }

  /// The overview, followed by a page for each command.
  /// - Throws: An error if ArgumentParser's description of the command line has an unknown format.
  package static var all: [Page] {
    get throws {
      guard let root = try JSON(parsing: AuthflowCommand._dumpHelp())["command"] else { throw UnknownFormat() }
      let descriptions = root["subcommands"]?.array ?? []
      let pages = AuthflowCommand.configuration.subcommands.compactMap { command -> Page? in
        let name = command._commandName
        guard let description = descriptions.first(where: { $0["commandName"]?.string == name }) else { return nil }
        return commandPage(CommandDescription(command, description, path: "authflow \(name)"))
      }
      guard pages.count == AuthflowCommand.configuration.subcommands.count else { throw UnknownFormat() }
      let overview = CommandDescription(AuthflowCommand.self, root, path: "authflow")
      return [Page(name: "Commands", markdown: overviewText(overview))] + pages
    }
  }

  /// The error that is thrown if ArgumentParser's description does not contain all declared commands.
  struct UnknownFormat: Error {}

  private static func commandPage(_ command: CommandDescription) -> Page {
    let parts = ["# \(command.path)"] + sections(of: command, level: 2)
    return Page(
      name: command.path.replacing(" ", with: "-"), markdown: parts.joined(separator: "\n\n") + "\n")
  }

  /// The links to all pages, grouped as in `authflow help`.
  private static var topics: String {
    AuthflowCommand.configuration.groupedSubcommands.map { group in
      "### \(group.name)\n\n"
        + group.subcommands.map { "- <doc:authflow-\($0._commandName)>" }.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func overviewText(_ root: CommandDescription) -> String {
    let parts = [
      "# Commands",
      "All authflow commands, with their arguments and options.",
      "These pages are generated from the command declarations and contain the same text as `authflow help`.",
      "## Usage",
      HelpMarkdown.block(root.usage),
      HelpMarkdown.text(root.discussion),
      "## Options of all commands",
      list(root.arguments),
      "## Exit codes",
      exitCodes,
      "## Topics",
      topics,
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static let exitCodes = """
    | code | meaning |
    | --- | --- |
    | \(ExitStatus.success.rawValue) | the command succeeded |
    | \(ExitStatus.failed.rawValue) | the command ran and failed |
    | \(ExitStatus.usageError.rawValue) | the command line or an input file is invalid, so the command did not run |
    | \(ExitStatus.environmentFailure.rawValue) | environment error: network, port, keyring, or disk |
    | \(ExitStatus.interrupted.rawValue) | interrupted |
    """

  /// Returns the sections of a command, followed by the sections of its subcommands one heading level deeper.
  private static func sections(of command: CommandDescription, level: Int) -> [String] {
    let mark = String(repeating: "#", count: level)
    var parts = [HelpMarkdown.prose(command.abstract), HelpMarkdown.text(command.discussion)]
    if command.isDefault { parts.append("This is the default subcommand: you can omit its name.") }
    parts += ["\(mark) Usage", HelpMarkdown.block(command.usage)]
    for (title, arguments) in command.argumentSections {
      parts += ["\(mark) \(title)", list(arguments)]
    }
    for subcommand in command.subcommands {
      parts += ["\(mark) \(subcommand.path)"] + sections(of: subcommand, level: level + 1)
    }
    return parts.filter { !$0.isEmpty }
  }

  private static func list(_ arguments: [ArgumentDescription]) -> String {
    arguments.map { argument in
      let text = argument.sentences.joined(separator: " ")
      return "- \(argument.signature)" + (text.isEmpty ? "" : "\n\n  \(text)")
    }.joined(separator: "\n")
  }
}
