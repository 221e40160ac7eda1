import ArgumentParser
import Documents

/// The reference pages of the commands, generated from the declarations that parse the command line.
package enum CommandPages {
  /// One article of the documentation catalog.
  package struct Page: Sendable {
    /// The file name without its extension.
    package var name: String
    package var markdown: String
  }

  /// The overview, then one page for each command.
  /// - Throws: An error if ArgumentParser describes the command line in an unknown format.
  package static var all: [Page] {
    get throws {
      guard let root = try JSON(parsing: AuthflowCommand._dumpHelp())["command"] else { throw UnknownFormat() }
      let descriptions = root["subcommands"]?.array ?? []
      let pages = AuthflowCommand.configuration.subcommands.compactMap { command -> Page? in
        let name = command._commandName
        guard let description = descriptions.first(where: { $0["commandName"]?.string == name }) else { return nil }
        return page(of: CommandDescription(command, description, path: "authflow \(name)"))
      }
      guard pages.count == AuthflowCommand.configuration.subcommands.count else { throw UnknownFormat() }
      let overview = CommandDescription(AuthflowCommand.self, root, path: "authflow")
      return [Page(name: "Commands", markdown: markdown(of: overview, pages: pages))] + pages
    }
  }

  /// The description of the command line lacks a declared command.
  struct UnknownFormat: Error {}

  private static func page(of command: CommandDescription) -> Page {
    let parts = ["# \(command.path)"] + sections(of: command, level: 2)
    return Page(
      name: command.path.replacing(" ", with: "-"), markdown: parts.joined(separator: "\n\n") + "\n")
  }

  private static func markdown(of root: CommandDescription, pages: [Page]) -> String {
    let parts = [
      "# Commands",
      "Every command of authflow, with its arguments and options.",
      "These pages are generated from the declarations behind `authflow help`, so both show the same text.",
      "## Usage",
      HelpMarkdown.block(root.usage),
      HelpMarkdown.text(root.discussion),
      "## Options of all commands",
      list(root.arguments),
      "## Exit codes",
      exitCodes,
      "## Topics",
      "### All commands",
      pages.map { "- <doc:\($0.name)>" }.joined(separator: "\n"),
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
  }

  private static let exitCodes = """
    | code | meaning |
    | --- | --- |
    | \(ExitStatus.success.rawValue) | the command succeeded |
    | \(ExitStatus.failed.rawValue) | the command ran and failed |
    | \(ExitStatus.usageError.rawValue) | the command line or an input file is invalid; nothing ran |
    | \(ExitStatus.environmentFailure.rawValue) | environment error: network, port, keyring, or disk |
    | \(ExitStatus.interrupted.rawValue) | interrupted |
    """

  /// The text below the title of a command, then its subcommands, one heading level down.
  private static func sections(of command: CommandDescription, level: Int) -> [String] {
    let mark = String(repeating: "#", count: level)
    var parts = [HelpMarkdown.prose(command.abstract), HelpMarkdown.text(command.discussion)]
    if command.isDefault { parts.append("This is the default subcommand: you can leave out its name.") }
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
      return "- \(argument.spellings)" + (text.isEmpty ? "" : "\n\n  \(text)")
    }.joined(separator: "\n")
  }
}
