import ArgumentParser
import Documents

/// ArgumentParser's description of a command (`ToolInfoV0`), with its usage line.
struct CommandDescription {
  /// The full name, such as `authflow cache show`.
  let path: String
  let usage: String
  private let type: any ParsableCommand.Type
  private let description: JSON
  /// Whether this is the default subcommand of its parent.
  var isDefault = false

  init(_ type: any ParsableCommand.Type, _ description: JSON, path: String) {
    self.path = path
    self.type = type
    self.description = description
    usage = AuthflowCommand.usageString(for: type)
  }

  var abstract: String { description["abstract"]?.string ?? "" }
  var discussion: String { description["discussion"]?.string ?? "" }

  /// The declared subcommands, without ArgumentParser's own `help`.
  var subcommands: [CommandDescription] {
    type.configuration.subcommands.compactMap { command in
      let name = command._commandName
      let descriptions = description["subcommands"]?.array ?? []
      guard let own = descriptions.first(where: { $0["commandName"]?.string == name }) else { return nil }
      var subcommand = CommandDescription(command, own, path: "\(path) \(name)")
      subcommand.isDefault = description["defaultSubcommand"]?.string == name
      return subcommand
    }
  }

  /// The arguments that `help` shows, in declaration order.
  var arguments: [ArgumentDescription] {
    (description["arguments"]?.array ?? []).map(ArgumentDescription.init).filter(\.isShown)
  }

  /// The arguments by section, without the options that all commands share. Positional arguments come first, as in
  /// `help`.
  var argumentSections: [(title: String, arguments: [ArgumentDescription])] {
    var sections: [(title: String, arguments: [ArgumentDescription])] = []
    let own = arguments.filter { !$0.isCommon }
    for argument in own.filter(\.isPositional) + own.filter({ !$0.isPositional }) {
      if let last = sections.last?.arguments.last, argument.isInversion(of: last) {
        let section = sections.count - 1
        sections[section].arguments[sections[section].arguments.count - 1].inversion = argument.names
      } else if let index = sections.firstIndex(where: { $0.title == argument.section }) {
        sections[index].arguments.append(argument)
      } else {
        sections.append((argument.section, [argument]))
      }
    }
    return sections
  }
}

/// ArgumentParser's description of an argument, option, or flag.
struct ArgumentDescription {
  private let description: JSON
  /// The names of the opposite flag, such as `--no-interactive`.
  var inversion: [String] = []

  init(_ description: JSON) { self.description = description }

  var isShown: Bool { description["shouldDisplay"]?.bool != false }

  var isPositional: Bool { description["kind"]?.string == "positional" }

  /// Whether every command has this option.
  var isCommon: Bool { ["help", "version"].contains(description["preferredName"]?["name"]?.string) }

  var section: String { description["sectionTitle"]?.string ?? (isPositional ? "Arguments" : "Options") }

  /// The names with their dashes, short names first.
  var names: [String] {
    let names = (description["names"]?.array ?? []).map { name in
      (name["kind"]?.string == "long" ? "--" : "-") + (name["name"]?.string ?? "")
    }
    return names.filter { !$0.hasPrefix("--") } + names.filter { $0.hasPrefix("--") }
  }

  /// Whether this flag is the opposite of another, such as `--no-x` for `--x`.
  func isInversion(of other: ArgumentDescription) -> Bool {
    description["abstract"] == other.description["abstract"]
      && names == other.names.map { "--no-" + $0.trimmingPrefix("--") }
  }

  /// The names and the value as Markdown code, such as `-o, --output <file>` or `<file>`.
  var signature: String {
    let value = "<\(description["valueName"]?.string ?? "value")>"
    guard !isPositional else { return "`\(value)`" }
    let suffix = description["kind"]?.string == "option" ? " \(value)" : ""
    return "`\((names + inversion).joined(separator: ", "))\(suffix)`"
  }

  /// The help text, the accepted values, and the default.
  var sentences: [String] {
    var sentences = [description["abstract"], description["discussion"]].compactMap { $0?.string }.map {
      HelpMarkdown.sentence($0)
    }
    if description["isOptional"]?.bool == false { sentences.append("Required.") }
    if let values = description["allValues"]?.array?.compactMap(\.string), !values.isEmpty {
      sentences.append("Values: \(values.map { "`\($0)`" }.joined(separator: ", ")).")
    }
    if let value = description["defaultValue"]?.string { sentences.append("Default: `\(value)`.") }
    return sentences
  }
}
